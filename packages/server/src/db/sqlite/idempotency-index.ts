const initialSlotCount = 1 << 12

/**
 * Finds the task of an idempotency key without an index on disk, which would write to a random page
 * for each accepted task. This index is an open-addressed hash table with 16 bytes for each slot.
 * Two keys may have the same hash, so the caller compares the row on disk for each candidate.
 */
export class IdempotencyIndex {
  #hashes = new Float64Array(initialSlotCount)
  #taskNos = new Float64Array(initialSlotCount)
  #usedSlots = 0

  /** Returns the numbers of the tasks that may have this key, usually none or one. */
  candidatesOf(accountNo: number, key: string): number[] {
    const taskNos: number[] = []
    const hash = hashOfKey(accountNo, key)
    const mask = this.#hashes.length - 1
    for (let slot = firstSlot(hash, mask); this.#hashes[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] === hash) taskNos.push(this.#taskNos[slot] ?? 0)
    }
    return taskNos
  }

  add(accountNo: number, key: string, taskNo: number): void {
    if ((this.#usedSlots + 1) * 2 > this.#hashes.length) this.#grow()
    this.#insert(hashOfKey(accountNo, key), taskNo)
    this.#usedSlots += 1
  }

  clear(): void {
    this.#hashes = new Float64Array(initialSlotCount)
    this.#taskNos = new Float64Array(initialSlotCount)
    this.#usedSlots = 0
  }

  #insert(hash: number, taskNo: number): void {
    const mask = this.#hashes.length - 1
    let slot = firstSlot(hash, mask)
    while (this.#hashes[slot] !== 0) slot = (slot + 1) & mask
    this.#hashes[slot] = hash
    this.#taskNos[slot] = taskNo
  }

  #grow(): void {
    const hashes = this.#hashes
    const taskNos = this.#taskNos
    this.#hashes = new Float64Array(hashes.length * 2)
    this.#taskNos = new Float64Array(taskNos.length * 2)
    hashes.forEach((hash, slot) => {
      if (hash !== 0) this.#insert(hash, taskNos[slot] ?? 0)
    })
  }
}

/**
 * Returns a hash of 53 bits, from two 32-bit hashes of the account and the key. It is never 0,
 * because 0 marks an empty slot.
 */
export function hashOfKey(accountNo: number, key: string): number {
  let high = accountNo | 0
  let low = 0x9e3779b9
  for (let i = 0; i < key.length; i++) {
    const codeUnit = key.charCodeAt(i)
    high = Math.imul(high ^ codeUnit, 0x9e3779b1)
    low = (Math.imul(low ^ codeUnit, 0x5f356495) + high) | 0
  }
  high ^= high >>> 15
  low ^= low >>> 13
  return (high >>> 0) * 0x200000 + (low >>> 11) + 1
}

function firstSlot(hash: number, mask: number): number {
  return (hash % 4294967291) & mask
}
