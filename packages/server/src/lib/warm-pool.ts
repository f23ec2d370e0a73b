import { Semaphore } from './semaphore.ts'

/** A resource that is costly to open and serves one caller at a time. */
export interface PoolMember {
  /** True if the member cannot be used again. */
  readonly isDead: boolean
  /** Closes the member, even while it is in use. Idempotent. */
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

interface PooledMember<Member> {
  member: Member
  uses: number
  idleTimer: NodeJS.Timeout | undefined
}

/**
 * A pool that opens its members on demand. Members are replaced after `usesMax` uses or when they
 * are dead, and closed when they are idle. Callers wait in order of arrival.
 */
export class WarmPool<Member extends PoolMember> {
  readonly #options: WarmPoolOptions<Member>
  readonly #semaphore: Semaphore
  readonly #idle: PooledMember<Member>[] = []
  readonly #open = new Set<PooledMember<Member>>()
  #isClosed = false

  constructor(options: WarmPoolOptions<Member>) {
    this.#options = options
    this.#semaphore = new Semaphore(options.membersMax)
  }

  /**
   * Runs `work` with a member. Returns undefined if the signal aborts before the work starts, or if
   * the pool is closed before the work has ended. Closing a member may make its work fail.
   */
  async use<Result>(signal: AbortSignal, work: (member: Member) => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#semaphore.acquire(signal))) return undefined
    try {
      if (this.#isClosed) return undefined
      const pooled = this.#acquire()
      try {
        pooled.uses += 1
        const result = await work(pooled.member)
        return this.#isClosed ? undefined : result
      } catch (cause) {
        if (this.#isClosed) return undefined
        throw cause
      } finally {
        this.#release(pooled)
      }
    } finally {
      this.#semaphore.release()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { idleTimer } of this.#idle) clearTimeout(idleTimer)
    await Promise.all([...this.#open].map(({ member }) => member.close()))
  }

  #acquire(): PooledMember<Member> {
    for (let pooled = this.#idle.pop(); pooled !== undefined; pooled = this.#idle.pop()) {
      clearTimeout(pooled.idleTimer)
      if (!pooled.member.isDead) return pooled
      this.#open.delete(pooled)
    }
    const pooled = { member: this.#options.open(), uses: 0, idleTimer: undefined }
    this.#open.add(pooled)
    return pooled
  }

  #release(pooled: PooledMember<Member>): void {
    if (pooled.member.isDead || pooled.uses >= this.#options.usesMax || this.#isClosed) {
      void this.#discard(pooled)
      return
    }
    pooled.idleTimer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(pooled), 1)
      void this.#discard(pooled)
    }, this.#options.idleMsMax)
    pooled.idleTimer.unref()
    this.#idle.push(pooled)
  }

  async #discard(pooled: PooledMember<Member>): Promise<void> {
    await pooled.member.close()
    this.#open.delete(pooled)
  }
}
