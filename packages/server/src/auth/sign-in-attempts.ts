import type { Clock } from '../lib/clock.ts'
import { acquireRequest } from './acquire-request.ts'
import { LocalBucket } from './request-bucket.ts'

/** Attempts of one address per minute. */
const attemptsMax = 20
/** The rate limiter counts per second, so its clock runs slower. */
const clockDivisor = 60
const addressesMax = 10_000

/**
 * Limits attempts to sign in, by the address of the client. An API key cannot be guessed, but a
 * configured key may be weak.
 */
export class SignInAttempts {
  readonly #clock: Clock
  /** The least recently used address first. */
  readonly #uses = new Map<string, LocalBucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt. Returns false if the address has made too many. */
  countAttempt(address: string): boolean {
    const nowMs = this.#clock() / clockDivisor
    const use = this.#uses.get(address) ?? new LocalBucket()
    this.#uses.delete(address)
    this.#uses.set(address, use)
    const [oldest] = this.#uses.keys()
    if (oldest !== undefined && this.#uses.size > addressesMax) this.#uses.delete(oldest)
    return acquireRequest(use, nowMs, attemptsMax).isAllowed
  }
}
