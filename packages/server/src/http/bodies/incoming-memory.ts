/**
 * The sender of a body. `accountNo` is null for a caller without an account, such as an upstream's
 * callback.
 */
export interface BodyOwner {
  accountNo: number | null
  isOperator: boolean
}

/** Memory that is reserved for one body. Disposal releases it. */
export interface BodyMemory extends Disposable {
  /**
   * Sets the reserved amount. If this much is not available, returns false and keeps the current
   * amount.
   */
  reserve(bytes: number): boolean
}

/** Maximum size of a body that counts as small. Most submits and operator requests are small. */
const smallBodyBytesMax = 64 * 1024

/**
 * Limits on the reserved memory, as shares of the maximum: stalled transfers must not use all of
 * it.
 */
const memoryShares = {
  /**
   * For all bodies, if a large one needs memory. The rest is kept for small bodies and operators.
   */
  allLarge: 5 / 8,
  /** For all bodies, if a client's small one needs memory. The rest is kept for operators. */
  allOfClients: 7 / 8,
  /** For the bodies of one account, if a large one needs memory. */
  largeOfAccount: 3 / 16,
  /** For the bodies of one account, if a small one needs memory. */
  allOfAccount: 4 / 16,
} as const

/** Index of the counter for all bodies. The counters of the accounts follow. */
const totalIndex = 0
/**
 * Number of counters for accounts. Accounts whose numbers differ by a multiple of this number share
 * a counter and its limit.
 */
const accountCounters = 65_535

/**
 * Limits the memory of request bodies that arrive in several chunks. Its counters of reserved bytes
 * are in memory that threads may share, so that the limits apply to all threads together.
 */
export class IncomingMemory {
  readonly memory: SharedArrayBuffer
  readonly #bytesMax: number
  readonly #counters: Int32Array<SharedArrayBuffer>

  constructor(bytesMax: number, memory = new SharedArrayBuffer((1 + accountCounters) * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#bytesMax = bytesMax
    this.#counters = new Int32Array(memory)
  }

  /** Registers a body, with no memory reserved yet. */
  open(owner: BodyOwner): BodyMemory {
    const accountIndex = 1 + ((owner.accountNo ?? 0) % accountCounters)
    let reservedBytes = 0
    return {
      reserve: (bytes) => {
        const addedBytes = bytes - reservedBytes
        // The bytes are added before the check. If they were added after it, another thread could
        // add bytes in between, and both together could exceed the limit.
        const totalBytes = this.#add(totalIndex, addedBytes)
        const accountBytes = this.#add(accountIndex, addedBytes)
        if (addedBytes > 0 && !this.#hasCapacity(owner, bytes, { totalBytes, accountBytes })) {
          this.#add(totalIndex, -addedBytes)
          this.#add(accountIndex, -addedBytes)
          return false
        }
        reservedBytes = bytes
        return true
      },
      [Symbol.dispose]: () => {
        this.#add(totalIndex, -reservedBytes)
        this.#add(accountIndex, -reservedBytes)
        reservedBytes = 0
      },
    }
  }

  #hasCapacity(
    { isOperator }: BodyOwner,
    bodyBytes: number,
    { totalBytes, accountBytes }: { totalBytes: number; accountBytes: number },
  ): boolean {
    const isSmall = bodyBytes <= smallBodyBytesMax
    const shareOfTotal = isOperator ? 1 : isSmall ? memoryShares.allOfClients : memoryShares.allLarge
    const shareOfAccount = isSmall ? memoryShares.allOfAccount : memoryShares.largeOfAccount
    return totalBytes <= this.#bytesMax * shareOfTotal && accountBytes <= this.#bytesMax * shareOfAccount
  }

  /** Returns the value of the counter after the addition. */
  #add(index: number, bytes: number): number {
    return Atomics.add(this.#counters, index, bytes) + bytes
  }
}
