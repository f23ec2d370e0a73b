/** The account and the API key that have sent a long poll. */
export interface QueryOwner {
  readonly accountNo: number
  readonly keyNo: number
  readonly isOperator: boolean
}

/**
 * Share of the capacity for long polls that clients may use. The rest is reserved for operators.
 */
const clientsShare = 7 / 8

/**
 * Divides the capacity for long polls among accounts and keys. An account may hold another query
 * only while it holds fewer queries than there are free slots. A key may do so only while it holds
 * fewer queries than half of the free slots. A single account therefore gets about half of the
 * capacity, and a single key about a third. With more accounts, each of them gets less.
 */
export class HeldRequestLimits {
  readonly #heldMax: number
  readonly #countByAccount = new Map<number, number>()
  readonly #countByKey = new Map<number, number>()
  #held = 0

  constructor(heldMax: number) {
    this.#heldMax = heldMax
  }

  get held(): number {
    return this.#held
  }

  /** Counts a query. Returns false when the account or the key has used its share. */
  acquire({ accountNo, keyNo, isOperator }: QueryOwner): boolean {
    const free = this.#heldMax * (isOperator ? 1 : clientsShare) - this.#held
    if ((this.#countByAccount.get(accountNo) ?? 0) >= free || (this.#countByKey.get(keyNo) ?? 0) >= free / 2) return false
    this.#count(accountNo, keyNo, 1)
    return true
  }

  release({ accountNo, keyNo }: QueryOwner): void {
    this.#count(accountNo, keyNo, -1)
  }

  #count(accountNo: number, keyNo: number, change: 1 | -1): void {
    this.#held += change
    addToCount(this.#countByAccount, accountNo, change)
    addToCount(this.#countByKey, keyNo, change)
  }
}

function addToCount(counts: Map<number, number>, no: number, change: 1 | -1): void {
  const count = (counts.get(no) ?? 0) + change
  if (count > 0) counts.set(no, count)
  else counts.delete(no)
}
