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

/**
 * Maximum size of a body that counts as small. Most submits and operator requests are small.
 */
const smallBodyBytesMax = 64 * 1024

/**
 * Limits as shares of the maximum. The first two reserve memory for small bodies and for operators,
 * so that stalled transfers of other clients do not block these requests. The other two limit an
 * account, and reserve memory for its small bodies.
 */
const memoryShares = {
  allLarge: 5 / 8,
  allOfClients: 7 / 8,
  largeOfAccount: 3 / 16,
  allOfAccount: 4 / 16,
} as const

/** Limits the memory of request bodies that arrive in several chunks. */
export class IncomingMemory {
  readonly #bytesMax: number
  readonly #bytesByAccount = new Map<number | null, number>()
  #totalBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Registers a body, with no memory reserved yet. */
  open(owner: BodyOwner): BodyMemory {
    let reservedBytes = 0
    return {
      reserve: (bytes) => {
        if (bytes > reservedBytes && !this.#hasCapacity(owner, bytes, bytes - reservedBytes)) return false
        this.#add(owner.accountNo, bytes - reservedBytes)
        reservedBytes = bytes
        return true
      },
      [Symbol.dispose]: () => {
        if (reservedBytes > 0) this.#add(owner.accountNo, -reservedBytes)
        reservedBytes = 0
      },
    }
  }

  #hasCapacity({ accountNo, isOperator }: BodyOwner, bodyBytes: number, addedBytes: number): boolean {
    const isSmall = bodyBytes <= smallBodyBytesMax
    const shareOfTotal = isOperator ? 1 : isSmall ? memoryShares.allOfClients : memoryShares.allLarge
    const shareOfAccount = isSmall ? memoryShares.allOfAccount : memoryShares.largeOfAccount
    const accountBytes = this.#bytesByAccount.get(accountNo) ?? 0
    return (
      this.#totalBytes + addedBytes <= this.#bytesMax * shareOfTotal &&
      accountBytes + addedBytes <= this.#bytesMax * shareOfAccount
    )
  }

  #add(accountNo: number | null, bytes: number): void {
    this.#totalBytes += bytes
    const accountBytes = (this.#bytesByAccount.get(accountNo) ?? 0) + bytes
    if (accountBytes > 0) this.#bytesByAccount.set(accountNo, accountBytes)
    else this.#bytesByAccount.delete(accountNo)
  }
}
