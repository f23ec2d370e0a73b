import { setTimeout as sleep } from 'node:timers/promises'
import { FramegateError } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeOrFail, writeToStderr } from '../terminal/write.ts'

/** Maximum number of retries after a response that the rate limit was exceeded. */
const rateLimitRetriesMax = 10
/**
 * Error codes of a connection that was never established. The server has then created no secret.
 */
const unconnectedCodes = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * The objects that have a secret, as named in the commands `framegate … list` and `framegate …
 * rotate`.
 */
export type SecretOwners = 'keys' | 'webhooks'

/** A request whose response contains a new secret. */
export interface SecretRequest {
  owners: SecretOwners
  path: string
  body?: object
}

/**
 * Sends a request whose response contains a new secret. Retries only if the rate limit was
 * exceeded, because then nothing was created. After a lost response, a retry would create a second
 * secret. After Ctrl-C, waits for the response to a request that was already sent.
 */
// The type parameter is used only once, because the caller chooses the type of the response.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function createSecret<Created>({ client, call }: ServerSession, request: SecretRequest): Promise<Created> {
  const { owners, path, body } = request
  for (let attemptsLeft = rateLimitRetriesMax; ; attemptsLeft--) {
    try {
      return await client.request<Created>({ method: 'POST', path, ...(body && { body }) }, { maxRetries: 0 })
    } catch (error) {
      if (!(error instanceof FramegateError)) throw error
      if (isOutcomeUnknown(error)) {
        const extendedError = withLostSecretNotice(error, owners)
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

function withLostSecretNotice(error: FramegateError, owners: SecretOwners): FramegateError {
  const { code, status, param, requestId, message } = error
  return new FramegateError({
    code,
    status: status ?? undefined,
    param,
    requestId,
    message:
      `${message}\nThe server may have issued the secret nevertheless. In that case, the secret is lost: \`framegate ${owners} list\` ` +
      `shows the ${owners === 'keys' ? 'key' : 'webhook'}, and \`framegate ${owners} rotate\` issues a new secret.`,
    cause: error,
  })
}

/**
 * Writes text that contains the new secret of the key or webhook `id` to stdout. If the output was
 * closed or cannot be written, throws an error that says how to get another secret.
 */
export async function writeSecret(text: string, owners: SecretOwners, id: string): Promise<void> {
  try {
    await writeOrFail(text)
  } catch (cause) {
    const message = `The new secret of ${id} is lost, because the output cannot be written. \`framegate ${owners} rotate ${id}\` issues another one.`
    throw new CommandFailure(exitCodes.failed, message, { cause })
  }
}
