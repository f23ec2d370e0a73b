/**
 * Limits the number of concurrent holders. Further callers wait. The accounts among them take
 * turns, and the callers of one account wait in order of arrival.
 */
export class FairSemaphore {
  readonly #concurrencyMax: number
  /** Waiting callers by account. The first account is the next to acquire a slot. */
  readonly #waitingByAccount = new Map<number, Set<() => void>>()
  #acquiredCount = 0

  constructor(concurrencyMax: number) {
    this.#concurrencyMax = concurrencyMax
  }

  /**
   * Resolves to true once the caller has acquired a slot, which it must then release. Resolves to
   * false if the signal aborts first.
   */
  async acquire(accountNo: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#acquiredCount < this.#concurrencyMax) {
      this.#acquiredCount++
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const waiting = this.#waitingByAccount.get(accountNo) ?? new Set()
      this.#waitingByAccount.set(accountNo, waiting)
      const proceed = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        waiting.delete(proceed)
        if (waiting.size === 0 && this.#waitingByAccount.get(accountNo) === waiting) this.#waitingByAccount.delete(accountNo)
        resolve(false)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(proceed)
    })
  }

  release(): void {
    for (const [accountNo, waiting] of this.#waitingByAccount) {
      // Moves the account behind the others for the next slot.
      this.#waitingByAccount.delete(accountNo)
      for (const proceed of waiting) {
        waiting.delete(proceed)
        if (waiting.size > 0) this.#waitingByAccount.set(accountNo, waiting)
        proceed()
        return
      }
    }
    this.#acquiredCount--
  }
}
