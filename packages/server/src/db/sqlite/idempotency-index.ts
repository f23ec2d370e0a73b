/**
 * Finds the task of an idempotency key without an index on disk. A table with the key as its
 * primary key would write to a random page for each accepted task. This index is an open-addressed
 * hash table with 16 bytes for each slot. Two keys may have the same hash, so the caller compares
 * the row on disk for each candidate.
 */
export class IdempotencyIndex {
  #hashes = new Float64Array(1 << 12)
  #owners = new Float64Array(1 << 12)
  #used = 0

  /** Returns the numbers of the tasks that may have this key, usually none or one. */
  candidatesOf(accountNo: number, key: string): number[] {
    const taskNos: number[] = []
    const hash = hashOfKey(accountNo, key)
    const mask = this.#hashes.length - 1
    for (let slot = firstSlot(hash, mask); this.#hashes[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] === hash) taskNos.push(this.#owners[slot] ?? 0)
    }
    return taskNos
  }

  add(accountNo: number, key: string, taskNo: number): void {
    if ((this.#used + 1) * 2 > this.#hashes.length) this.#grow()
    this.#insert(hashOfKey(accountNo, key), taskNo)
    this.#used += 1
  }

  clear(): void {
    this.#hashes = new Float64Array(1 << 12)
    this.#owners = new Float64Array(1 << 12)
    this.#used = 0
  }

  #insert(hash: number, taskNo: number): void {
    const mask = this.#hashes.length - 1
    let slot = firstSlot(hash, mask)
    while (this.#hashes[slot] !== 0) slot = (slot + 1) & mask
    this.#hashes[slot] = hash
    this.#owners[slot] = taskNo
  }

  #grow(): void {
    const hashes = this.#hashes
    const owners = this.#owners
    this.#hashes = new Float64Array(hashes.length * 2)
    this.#owners = new Float64Array(owners.length * 2)
    hashes.forEach((hash, slot) => {
      if (hash !== 0) this.#insert(hash, owners[slot] ?? 0)
    })
  }
}

/** Returns 53 bits of two 32-bit hashes. The result is never 0, because 0 marks an empty slot. */
export function hashOfKey(accountNo: number, key: string): number {
  let high = accountNo | 0
  let low = 0x9e3779b9
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = (Math.imul(low ^ unit, 0x5f356495) + high) | 0
  }
  high ^= high >>> 15
  low ^= low >>> 13
  return (high >>> 0) * 0x200000 + (low >>> 11) + 1
}

function firstSlot(hash: number, mask: number): number {
  return (hash % 4294967291) & mask
}
