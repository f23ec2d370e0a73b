import { Semaphore } from './semaphore.ts'

/** A resource that is costly to open and handles one call of `use` at a time. */
export interface PoolMember {
  /** True if the member cannot be used again. */
  readonly isDead: boolean
  /** Closes the member, even while it is in use. It may be called twice. */
  close(): Promise<void>
}

export interface WarmPoolOptions<Member> {
  open: () => Member
  /** Maximum number of members, busy or idle. */
  membersMax: number
  /** A member is replaced after this many uses. */
  usesMax: number
  /** An idle member is closed after this time. */
  idleMsMax: number
}

interface Kept<Member> {
  member: Member
  uses: number
  closing: NodeJS.Timeout | undefined
}

/**
 * A pool that opens its members on demand. It replaces a member after `usesMax` uses or when the
 * member is dead, and closes a member after a long idle time. Calls wait in order of arrival.
 */
export class WarmPool<Member extends PoolMember> {
  readonly #options: WarmPoolOptions<Member>
  readonly #semaphore: Semaphore
  readonly #idle: Kept<Member>[] = []
  readonly #open = new Set<Kept<Member>>()
  #isClosed = false

  constructor(options: WarmPoolOptions<Member>) {
    this.#options = options
    this.#semaphore = new Semaphore(options.membersMax)
  }

  /**
   * Runs `work` with a member. Returns undefined when the signal aborts before the work starts, or
   * when the pool is closed before the work has ended.
   */
  async use<Result>(signal: AbortSignal, work: (member: Member) => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#semaphore.acquire(signal))) return undefined
    try {
      if (this.#isClosed) return undefined
      const kept = this.#take()
      try {
        kept.uses += 1
        const result = await work(kept.member)
        return this.#isClosed ? undefined : result
      } finally {
        this.#giveBack(kept)
      }
    } finally {
      this.#semaphore.release()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { closing } of this.#idle) clearTimeout(closing)
    await Promise.all([...this.#open].map(({ member }) => member.close()))
  }

  #take(): Kept<Member> {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.closing)
      if (!kept.member.isDead) return kept
      this.#open.delete(kept)
    }
    const kept = { member: this.#options.open(), uses: 0, closing: undefined }
    this.#open.add(kept)
    return kept
  }

  #giveBack(kept: Kept<Member>): void {
    if (kept.member.isDead || kept.uses >= this.#options.usesMax || this.#isClosed) {
      void this.#discard(kept)
      return
    }
    kept.closing = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(kept), 1)
      void this.#discard(kept)
    }, this.#options.idleMsMax)
    kept.closing.unref()
    this.#idle.push(kept)
  }

  async #discard(kept: Kept<Member>): Promise<void> {
    await kept.member.close()
    this.#open.delete(kept)
  }
}
