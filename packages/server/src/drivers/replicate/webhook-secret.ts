import type { Callback, CallbackVerification } from '../driver.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { isSignedWebhook } from '../upstream/standard-webhooks.ts'
import type { ReplicateConnection } from './connection.ts'

/**
 * Minimum time from a successful fetch of the secret to the next fetch. After a callback with a
 * wrong signature, the secret is fetched again, because it may have changed.
 */
const refetchIntervalMs = 60_000
const fetchTimeoutMs = 10_000

/**
 * Verifies callbacks with the signing secret of the operator's Replicate account. Replicate returns
 * this secret to requests with the account's API key.
 */
export class WebhookSecret {
  readonly #connection: ReplicateConnection
  #secret = ''
  #fetchedAtMs = Number.NEGATIVE_INFINITY

  constructor(connection: ReplicateConnection) {
    this.#connection = connection
  }

  /** Throws if the secret cannot be read, so that the upstream sends the callback again. */
  async verify(callback: Callback): Promise<CallbackVerification> {
    const nowMs = this.#connection.tools.clock()
    if (this.#isSigned(callback, nowMs)) return { trust: 'signed' }
    // The absolute difference matters, because the clock may have been set back.
    if (Math.abs(nowMs - this.#fetchedAtMs) < refetchIntervalMs) return { trust: 'forged' }
    await this.#fetchSecret(nowMs)
    return { trust: this.#isSigned(callback, nowMs) ? 'signed' : 'forged' }
  }

  #isSigned(callback: Callback, nowMs: number): boolean {
    return this.#secret !== '' && isSignedWebhook(callback, this.#secret, nowMs)
  }

  async #fetchSecret(nowMs: number): Promise<void> {
    const { target, tools, headers } = this.#connection
    const url = `${target.baseUrl}/webhooks/default/secret`
    const response = await tools.call({ method: 'GET', url, headers, signal: AbortSignal.timeout(fetchTimeoutMs) })
    const secret = textIn(objectIn(response.json)['key'])
    if (response.status !== 200 || secret === '')
      throw new Error(`the request for the signing secret returned ${describeUnusable(response, 'a key')}`)
    this.#secret = secret
    this.#fetchedAtMs = nowMs
  }
}
