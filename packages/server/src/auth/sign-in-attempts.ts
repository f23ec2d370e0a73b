import type { Clock } from '../lib/clock.ts'
import { acquireRequest } from './acquire-request.ts'
import { LocalBucket } from './request-bucket.ts'

const attemptsPerMinuteMax = 20
/** The rate limiter counts per second, so its clock is slowed down to count per minute. */
const clockDivisor = 60
const addressesMax = 10_000

/**
 * Limits sign-in attempts by client address. A generated API key cannot be guessed, but a
 * configured key may be weak.
 */
export class SignInAttempts {
  readonly #clock: Clock
  /** Buckets by address, least recently used first. */
  readonly #buckets = new Map<string, LocalBucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt. Returns false if the address has made too many. */
  countAttempt(address: string): boolean {
    const nowMs = this.#clock() / clockDivisor
    const bucket = this.#buckets.get(address) ?? new LocalBucket()
    this.#buckets.delete(address)
    this.#buckets.set(address, bucket)
    const [leastRecentAddress] = this.#buckets.keys()
    if (leastRecentAddress !== undefined && this.#buckets.size > addressesMax) this.#buckets.delete(leastRecentAddress)
    return acquireRequest(bucket, nowMs, attemptsPerMinuteMax).isAllowed
  }
}
