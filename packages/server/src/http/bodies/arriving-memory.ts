/**
 * The sender of a body. `accountNo` is null for a caller without an account, such as an upstream's
 * callback.
 */
export interface BodyOwner {
  accountNo: number | null
  isOperator: boolean
}

/** Memory that is held for one body while the body arrives. Disposal releases the memory. */
export interface HeldMemory extends Disposable {
  /** Sets the held amount. If it is not available, returns false and keeps the current amount. */
  hold(bytes: number): boolean
}

/** Maximum size of a small body. Most submits and all requests of operators are small. */
const smallBodyBytesMax = 64 * 1024

/**
 * Shares of the memory for all arriving bodies. One share is reserved for small bodies and another
 * for operators, so that stalled transfers of other clients do not block them. Each account may use
 * a limited share, and a part of it is reserved for the account's small bodies.
 */
const parts = {
  allLarge: 5 / 8,
  allOfClients: 7 / 8,
  largeOfAccount: 3 / 16,
  allOfAccount: 4 / 16,
} as const

/** Limits the memory of request bodies that have started to arrive but are incomplete. */
export class ArrivingMemory {
  readonly #bytesMax: number
  readonly #ofAccounts = new Map<number | null, number>()
  #allBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Registers one body. The body holds no memory at first. */
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
