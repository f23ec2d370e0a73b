/** Whose body it is; null for a caller without an account, such as an upstream's callback. */
export interface BodyOwner {
  accountNo: number | null
  isOperator: boolean
}

/** Memory of one body while it arrives. Disposing gives it back. */
export interface HeldMemory extends Disposable {
  /** False when it may not hold that much: it keeps what it had. */
  hold(bytes: number): boolean
}

/** Bodies up to this size are small: most submits, and everything an operator does. */
const smallBodyBytesMax = 64 * 1024

/**
 * Parts of the memory for all bodies that arrive. What large bodies leave is for small ones, and what clients leave is for operators, so
 * that neither waits for stalled transfers of others. One account has a share, and keeps a part of it for its small bodies.
 */
const parts = {
  allLarge: 5 / 8,
  allOfClients: 7 / 8,
  largeOfAccount: 3 / 16,
  allOfAccount: 4 / 16,
} as const

/** Bounds the memory of request bodies that have begun to arrive and are not complete. */
export class ArrivingMemory {
  readonly #bytesMax: number
  readonly #ofAccounts = new Map<number | null, number>()
  #allBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** For one body, which holds nothing yet. */
  open(owner: BodyOwner): HeldMemory {
    let held = 0
    return {
      hold: (bytes) => {
        if (bytes > held && !this.#hasRoom(owner, bytes, bytes - held)) return false
        this.#add(owner.accountNo, bytes - held)
        held = bytes
        return true
      },
      [Symbol.dispose]: () => {
        if (held > 0) this.#add(owner.accountNo, -held)
        held = 0
      },
    }
  }

  #hasRoom({ accountNo, isOperator }: BodyOwner, bytes: number, moreBytes: number): boolean {
    const isSmall = bytes <= smallBodyBytesMax
    const partOfAll = isOperator ? 1 : isSmall ? parts.allOfClients : parts.allLarge
    const partOfAccount = isSmall ? parts.allOfAccount : parts.largeOfAccount
    const ofAccount = this.#ofAccounts.get(accountNo) ?? 0
    return this.#allBytes + moreBytes <= this.#bytesMax * partOfAll && ofAccount + moreBytes <= this.#bytesMax * partOfAccount
  }

  #add(accountNo: number | null, bytes: number): void {
    this.#allBytes += bytes
    const ofAccount = (this.#ofAccounts.get(accountNo) ?? 0) + bytes
    if (ofAccount > 0) this.#ofAccounts.set(accountNo, ofAccount)
    else this.#ofAccounts.delete(accountNo)
  }
}
