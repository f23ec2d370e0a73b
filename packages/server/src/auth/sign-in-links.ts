import { randomBytes } from 'node:crypto'
import { digestOfApiKey } from './api-key.ts'
import type { Clock } from '../lib/clock.ts'

const validForMs = 30 * 60_000
/** Maximum number of unused links. Another link replaces the oldest one. */
const linksMax = 10
const codeBytes = 24

/**
 * One-time codes that begin a console session without an API key. They exist only in the memory of
 * the process that printed them.
 */
export class SignInLinks {
  readonly #clock: Clock
  /** Links by the digests of their codes, oldest first. */
  readonly #links = new Map<string, { secretDigest: string; endsAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns a code that begins a session with this secret. */
  create(secretDigest: string): string {
    const [oldestDigest] = this.#links.keys()
    if (oldestDigest !== undefined && this.#links.size >= linksMax) this.#links.delete(oldestDigest)
    const code = randomBytes(codeBytes).toString('base64url')
    this.#links.set(digestOfApiKey(code), { secretDigest, endsAtMs: this.#clock() + validForMs })
    return code
  }

  /** Redeems a code and returns the digest of its secret. Returns null if the code is not valid. */
  redeem(code: string): string | null {
    const digest = digestOfApiKey(code)
    const link = this.#links.get(digest)
    this.#links.delete(digest)
    return link === undefined || link.endsAtMs <= this.#clock() ? null : link.secretDigest
  }
}
