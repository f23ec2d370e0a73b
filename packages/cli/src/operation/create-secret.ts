import { setTimeout as sleep } from 'node:timers/promises'
import { FramegateError } from '@framegate/sdk'
import type { ServerSession } from '../connection/call-server.ts'

/** Maximum number of retries after a response that the rate limit was exceeded. */
const rateLimitRetriesMax = 10

/**
 * Sends a request whose response contains a new secret. Retries only if the rate limit was
 * exceeded, because then nothing was created. After a lost response, a retry would create a second
 * secret. Throws a `FramegateError`.
 */
// The type parameter is used only once, because the caller chooses the type of the response.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function createSecret<Created>({ client, call }: ServerSession, path: string, body: object): Promise<Created> {
  for (let attemptsLeft = rateLimitRetriesMax; ; attemptsLeft--) {
    try {
      return await client.request<Created>({ method: 'POST', path, body }, { ...call, maxRetries: 0 })
    } catch (error) {
      if (attemptsLeft === 0 || !(error instanceof FramegateError) || error.code !== 'rate_limited') throw error
      await sleep((error.retryAfterSeconds ?? 1) * 1000, undefined, { signal: call.signal })
    }
  }
}
