/** The account and the API key of a request. */
export interface RequestOwner {
  readonly accountNo: number
  readonly keyNo: number
  readonly isOperator: boolean
}

/** Share of the slots that clients may use. The rest is reserved for operators. */
const clientsShare = 7 / 8

/**
 * Divides the slots for long polls, streams or forwarded requests among accounts and keys.
 *
 * An account gets another slot only while it holds fewer slots than are free. A key gets another
 * slot only while it holds fewer than half of the number of free slots. A single account therefore
 * gets at most half of the clients' slots, and a single key a third. With more accounts, each gets
 * fewer.
 */
export class ClientShares {
  readonly #slotsMax: number
  readonly #countByAccount = new Map<number, number>()
  readonly #countByKey = new Map<number, number>()
  #usedSlotCount = 0

  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  get usedSlotCount(): number {
    return this.#usedSlotCount
  }

  /** Acquires a slot. Returns false if the account or the key has used its share. */
  acquire({ accountNo, keyNo, isOperator }: RequestOwner): boolean {
    const freeSlots = this.#slotsMax * (isOperator ? 1 : clientsShare) - this.#usedSlotCount
    if ((this.#countByAccount.get(accountNo) ?? 0) >= freeSlots || (this.#countByKey.get(keyNo) ?? 0) >= freeSlots / 2)
      return false
    this.#count(accountNo, keyNo, 1)
    return true
  }

  release({ accountNo, keyNo }: RequestOwner): void {
    this.#count(accountNo, keyNo, -1)
  }

  #count(accountNo: number, keyNo: number, change: 1 | -1): void {
    this.#usedSlotCount += change
    addToCount(this.#countByAccount, accountNo, change)
    addToCount(this.#countByKey, keyNo, change)
  }
}

function addToCount(counts: Map<number, number>, no: number, change: 1 | -1): void {
  const count = (counts.get(no) ?? 0) + change
  if (count > 0) counts.set(no, count)
  else counts.delete(no)
}
