import type { Clock } from '../lib/clock.ts'
import { acquireRequest } from './acquire-request.ts'
import { LocalBucket } from './request-bucket.ts'

/** The client and the proxy of a sign-in attempt. */
export interface AttemptSource {
  client: string
  /** Address of the proxy that has sent the request. Null: the client has sent it directly. */
  proxy: string | null
}

const attemptsPerMinuteMax = 20
/** Maximum number of attempts per minute by all clients behind the same proxy. */
const proxyAttemptsPerMinuteMax = 200
/** The rate limiter counts per second, so its clock is slowed down to count per minute. */
const clockDivisor = 60
const sourcesMax = 10_000

/**
 * Limits sign-in attempts by client address, and by the address of the proxy, because a client in
 * the private network can pretend to be a proxy. A generated API key cannot be guessed, but a
 * configured key may be weak.
 */
export class SignInAttempts {
  readonly #clock: Clock
  /** Buckets by client or proxy, least recently used first. */
  readonly #buckets = new Map<string, LocalBucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts an attempt. Returns false if its client, or all clients of its proxy, have made too
   * many.
   */
  countAttempt({ client, proxy }: AttemptSource): boolean {
    if (!this.#count(`client ${client}`, attemptsPerMinuteMax)) return false
    return proxy === null || this.#count(`proxy ${proxy}`, proxyAttemptsPerMinuteMax)
  }

  #count(source: string, perMinuteMax: number): boolean {
    const nowMs = this.#clock() / clockDivisor
    const bucket = this.#buckets.get(source) ?? new LocalBucket()
    this.#buckets.delete(source)
    this.#buckets.set(source, bucket)
    const [leastRecentSource] = this.#buckets.keys()
    if (leastRecentSource !== undefined && this.#buckets.size > sourcesMax) this.#buckets.delete(leastRecentSource)
    return acquireRequest(bucket, nowMs, perMinuteMax).isAllowed
  }
}
