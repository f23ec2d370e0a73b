import type { Clock } from '../lib/clock.ts'
import { acquireRequest } from './acquire-request.ts'
import { LocalBucket } from './request-bucket.ts'

/** Maximum number of attempts per minute and address. */
const attemptsMax = 20
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
  readonly #uses = new Map<string, LocalBucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt. Returns false if the address has made too many. */
  countAttempt(address: string): boolean {
    const nowMs = this.#clock() / clockDivisor
    const bucket = this.#uses.get(address) ?? new LocalBucket()
    this.#uses.delete(address)
    this.#uses.set(address, bucket)
    const [oldest] = this.#uses.keys()
    if (oldest !== undefined && this.#uses.size > addressesMax) this.#uses.delete(oldest)
    return acquireRequest(bucket, nowMs, attemptsMax).isAllowed
  }
}
