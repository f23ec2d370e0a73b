/** The account and the API key of a request. */
export interface RequestOwner {
  readonly accountNo: number
  readonly keyNo: number
  readonly isOperator: boolean
}

/** Share of the capacity that clients may use. The rest is reserved for operators. */
const clientsShare = 7 / 8

/**
 * Divides the capacity for long polls or streams among accounts and keys. An account gets another
 * slot only while it has fewer slots than are free. A key gets one only while it has fewer than
 * half of the free slots. A single account therefore gets about half of the capacity, and a single
 * key about a third. With more accounts, each of them gets less.
 */
export class ClientShares {
  readonly #slotsMax: number
  readonly #countByAccount = new Map<number, number>()
  readonly #countByKey = new Map<number, number>()
  #used = 0

  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  get used(): number {
    return this.#used
  }

  /** Takes a slot. Returns false when the account or the key has used its share. */
  acquire({ accountNo, keyNo, isOperator }: RequestOwner): boolean {
    const free = this.#slotsMax * (isOperator ? 1 : clientsShare) - this.#used
    if ((this.#countByAccount.get(accountNo) ?? 0) >= free || (this.#countByKey.get(keyNo) ?? 0) >= free / 2) return false
    this.#count(accountNo, keyNo, 1)
    return true
  }

  release({ accountNo, keyNo }: RequestOwner): void {
    this.#count(accountNo, keyNo, -1)
  }

  #count(accountNo: number, keyNo: number, change: 1 | -1): void {
    this.#used += change
    addToCount(this.#countByAccount, accountNo, change)
    addToCount(this.#countByKey, keyNo, change)
  }
}

function addToCount(counts: Map<number, number>, no: number, change: 1 | -1): void {
  const count = (counts.get(no) ?? 0) + change
  if (count > 0) counts.set(no, count)
  else counts.delete(no)
}
