import { APICallError } from '@ai-sdk/provider'
import { FramegateError } from '@framegate/sdk'

/**
 * Runs a call, and converts errors of the service to the error class of the AI SDK. It marks them
 * as not retryable: the client has already retried, and a second submit would have another
 * idempotency key.
 */
export async function withCallErrors<T>(url: string, values: unknown, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof FramegateError) || error.status === null) throw error
    const { status, code, param, errors, requestId, message } = error
    throw new APICallError({
      message,
      url,
      requestBodyValues: values,
      statusCode: status,
      isRetryable: false,
      data: { code, param, errors, requestId },
      cause: error,
    })
  }
}
