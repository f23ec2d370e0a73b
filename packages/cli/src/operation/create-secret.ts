import { setTimeout as sleep } from 'node:timers/promises'
import { FramegateError } from '@framegate/sdk'
import type { ServerSession } from '../connection/call-server.ts'
import { writeToStderr } from '../terminal/write.ts'

/** Maximum number of retries after a response that the rate limit was exceeded. */
const rateLimitRetriesMax = 10
const lostSecretNotice =
  'The server may have issued the secret nevertheless. In that case, the secret is lost: `framegate keys list` shows the key, ' +
  'and `framegate keys rotate` issues a new secret.'
/** Error codes of a connection that was never established, after which no secret can exist. */
const unconnectedCodes = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Sends a request whose response contains a new secret. Retries only if the rate limit was
 * exceeded, because then nothing was created. After a lost response, a retry would create a second
 * secret. After Ctrl-C, waits for the response to a request that was already sent.
 */
// The type parameter is used only once, because the caller chooses the type of the response.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function createSecret<Created>({ client, call }: ServerSession, path: string, body: object): Promise<Created> {
  for (let attemptsLeft = rateLimitRetriesMax; ; attemptsLeft--) {
    try {
      return await client.request<Created>({ method: 'POST', path, body }, { maxRetries: 0 })
    } catch (error) {
      if (!(error instanceof FramegateError)) throw error
      if (isOutcomeUnknown(error)) {
        const extendedError = withLostSecretNotice(error)
        // After Ctrl-C, the command exits without the message of the error.
        if (call.signal.aborted) writeToStderr(extendedError.message)
        throw extendedError
      }
      if (attemptsLeft === 0 || error.code !== 'rate_limited') throw error
      await sleep((error.retryAfterSeconds ?? 1) * 1000, undefined, { signal: call.signal })
    }
  }
}

/**
 * Whether the server may have issued a secret. This is possible even after a response with 503,
 * because the server reads the keys again after it has stored the new one.
 */
function isOutcomeUnknown({ status, cause }: FramegateError): boolean {
  if (status !== null) return status >= 500 || status < 300
  return !(cause instanceof Error && 'code' in cause && unconnectedCodes.has(cause.code))
}

function withLostSecretNotice(error: FramegateError): FramegateError {
  const { code, status, param, requestId, message } = error
  return new FramegateError({
    code,
    status: status ?? undefined,
    param,
    requestId,
    message: `${message}\n${lostSecretNotice}`,
    cause: error,
  })
}
