import { APICallError } from '@ai-sdk/provider'
import { FramegateError } from '@framegate/sdk'

interface CallErrorOptions {
  url: string
  values: unknown
  /**
   * Whether the AI SDK may repeat the call after an error, although the client has already retried.
   * False for a submit that would get a new idempotency key, because the account would be charged
   * for a second task.
   */
  isRepeatable: boolean
}

/**
 * Runs a call, and converts errors of the service to `APICallError`, the only error class after
 * which the AI SDK retries. If the call is repeatable, also converts errors of lost connections.
 */
export async function withCallErrors<T>({ url, values, isRepeatable }: CallErrorOptions, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof FramegateError)) throw error
    const isRetryable = isRepeatable && isTemporary(error)
    const { status, code, param, errors, requestId, message } = error
    if (status === null && !isRetryable) throw error
    throw new APICallError({
      message,
      url,
      requestBodyValues: values,
      ...(status !== null && { statusCode: status }),
      isRetryable,
      data: { code, param, errors, requestId },
      cause: error,
    })
  }
}

function isTemporary({ status, code }: FramegateError): boolean {
  if (status === null) return code === 'connection_failed' || code === 'timed_out'
  return status === 408 || status === 429 || status >= 500
}
