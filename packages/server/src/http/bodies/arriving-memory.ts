/**
 * The sender of a body. `accountNo` is null for a caller without an account, such as an upstream's
 * callback.
 */
export interface BodyOwner {
  accountNo: number | null
  isOperator: boolean
}

/** Memory held for one body while it arrives. Disposing releases it. */
export interface HeldMemory extends Disposable {
  /** Returns false, and keeps the current amount, when that much is not available. */
  hold(bytes: number): boolean
}

/** Bodies up to this size are small: most submits, and all requests of operators. */
const smallBodyBytesMax = 64 * 1024

/**
 * Shares of the memory for all arriving bodies. One part is reserved for small bodies and another
 * for operators, so that neither waits for stalled transfers of others. Each account has a share,
 * part of which is reserved for its small bodies.
 */
const parts = {
  allLarge: 5 / 8,
  allOfClients: 7 / 8,
  largeOfAccount: 3 / 16,
  allOfAccount: 4 / 16,
} as const

/** Bounds the memory of request bodies that have begun to arrive but are incomplete. */
export class ArrivingMemory {
  readonly #bytesMax: number
  readonly #ofAccounts = new Map<number | null, number>()
  #allBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Registers one body, which holds no memory at first. */
  open(owner: BodyOwner): HeldMemory {
    let held = 0
    return {
      hold: (bytes) => {
        if (bytes > held && !this.#hasCapacity(owner, bytes, bytes - held)) return false
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

  #hasCapacity({ accountNo, isOperator }: BodyOwner, bytes: number, moreBytes: number): boolean {
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
