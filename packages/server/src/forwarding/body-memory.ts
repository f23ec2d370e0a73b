/**
 * Limits the memory of the bodies of all requests in progress. The bodies of one account may use at
 * most as much memory as remains free, so that they leave memory for other accounts.
 */
export class BodyMemory {
  readonly #bytesMax: number
  readonly #bytesByAccount = new Map<number, number>()
  #usedBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Reserves memory for a body. Returns false if there is not enough. A body that is larger than the
   * limit gets memory if there is no other body.
   */
  reserve(accountNo: number, bytes: number): boolean {
    const accountBytes = (this.#bytesByAccount.get(accountNo) ?? 0) + bytes
    if (this.#usedBytes > 0 && accountBytes > this.#bytesMax - this.#usedBytes) return false
    this.#bytesByAccount.set(accountNo, accountBytes)
    this.#usedBytes += bytes
    return true
  }

  release(accountNo: number, bytes: number): void {
    const accountBytes = (this.#bytesByAccount.get(accountNo) ?? 0) - bytes
    if (accountBytes > 0) this.#bytesByAccount.set(accountNo, accountBytes)
    else this.#bytesByAccount.delete(accountNo)
    this.#usedBytes -= bytes
  }
}
