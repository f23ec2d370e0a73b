import { getHeapStatistics } from 'node:v8'

/** Share of the heap for input files. Several copies of a file are in memory while it is sent. */
const heapShare = 1 / 16
const inputBytesMax = 256 * 1024 * 1024

interface Waiter {
  bytes: number
  resolve: (memory: Disposable | null) => void
}

/**
 * Limits the memory of the input files of attempts that are being started at one upstream. Attempts
 * above the limit wait. Accounts take turns, so that many large files of one account do not delay
 * others.
 */
export class InputMemory {
  readonly #bytesMax: number
  #usedBytes = 0
  /** The first account is the next to get memory. */
  readonly #waitersByAccount = new Map<number, Waiter[]>()

  constructor(bytesMax = Math.min(inputBytesMax, getHeapStatistics().heap_size_limit * heapShare)) {
    this.#bytesMax = bytesMax
  }

  /**
   * Resolves when this much memory is available or, if `bytes` exceeds the limit, when none is in
   * use. Disposal releases the memory. Resolves to null if the signal aborts first.
   */
  async acquire({ accountNo, bytes }: { accountNo: number; bytes: number }, signal: AbortSignal): Promise<Disposable | null> {
    if (signal.aborted) return null
    const { promise, resolve } = Promise.withResolvers<Disposable | null>()
    const waiter = { bytes, resolve }
    const leave = (): void => {
      this.#leave(accountNo, waiter)
      resolve(null)
    }
    signal.addEventListener('abort', leave, { once: true })
    const waiters = this.#waitersByAccount.get(accountNo)
    if (waiters === undefined) this.#waitersByAccount.set(accountNo, [waiter])
    else waiters.push(waiter)
    this.#admit()
    const memory = await promise
    signal.removeEventListener('abort', leave)
    return memory
  }

  #leave(accountNo: number, waiter: Waiter): void {
    const waiters = this.#waitersByAccount.get(accountNo)?.filter((other) => other !== waiter) ?? []
    if (waiters.length === 0) this.#waitersByAccount.delete(accountNo)
    else this.#waitersByAccount.set(accountNo, waiters)
    this.#admit()
  }

  /** Gives memory to the first waiter of each account in turn, until the next one does not fit. */
  #admit(): void {
    for (const [accountNo, waiters] of this.#waitersByAccount) {
      const [waiter] = waiters
      if (waiter === undefined) throw new Error('an account without waiters is in the queue')
      if (this.#usedBytes > 0 && this.#usedBytes + waiter.bytes > this.#bytesMax) return
      waiters.shift()
      // A `for` loop over a map also visits entries that are added meanwhile.
      this.#waitersByAccount.delete(accountNo)
      if (waiters.length > 0) this.#waitersByAccount.set(accountNo, waiters)
      this.#usedBytes += waiter.bytes
      waiter.resolve(this.#memoryOf(waiter.bytes))
    }
  }

  #memoryOf(bytes: number): Disposable {
    let reservedBytes = bytes
    return {
      [Symbol.dispose]: () => {
        this.#usedBytes -= reservedBytes
        reservedBytes = 0
        this.#admit()
      },
    }
  }
}
