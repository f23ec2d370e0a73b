/**
 * The token bucket of a key's rate limit. Its state is the time at which the bucket is full again.
 * Threads may share a bucket, so a change names the state that it replaces.
 */
export interface RequestBucket {
  readFullAtMs(): number
  /** Returns false if another thread has changed the state in the meantime. */
  replaceFullAtMs(previousMs: number, nextMs: number): boolean
}

/** A bucket that only this thread uses. */
export class LocalBucket implements RequestBucket {
  #fullAtMs = 0

  readFullAtMs(): number {
    return this.#fullAtMs
  }

  replaceFullAtMs(_previousMs: number, nextMs: number): boolean {
    this.#fullAtMs = nextMs
    return true
  }
}

/**
 * Number of slots, and so the maximum number of keys with a bucket of their own. Each slot takes 16
 * bytes.
 */
const bucketsMax = 65_536
/** Maximum number of slots that are searched for a key. */
const probesMax = 64
const unusedSlot = 0n

/**
 * Buckets in memory that all threads share, so that a rate limit applies to all threads together.
 * The memory is a hash table with open addressing, and a key keeps its slot until the service
 * stops. If none of the `probesMax` slots for a key is free, the key shares the bucket of another
 * key, and the limits of both are stricter than configured.
 */
export class SharedBuckets {
  readonly memory: SharedArrayBuffer
  readonly #keys: BigInt64Array<SharedArrayBuffer>
  readonly #states: BigInt64Array<SharedArrayBuffer>

  constructor(memory = new SharedArrayBuffer(2 * bucketsMax * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#keys = new BigInt64Array(memory, 0, bucketsMax)
    this.#states = new BigInt64Array(memory, bucketsMax * BigInt64Array.BYTES_PER_ELEMENT, bucketsMax)
  }

  /** Returns the bucket of a key. The bucket takes a slot when it is first used. */
  get(keyNo: number): RequestBucket {
    return new SharedBucket(this.#states, () => this.#findSlot(keyNo))
  }

  #findSlot(keyNo: number): number {
    const key = BigInt(keyNo)
    const homeSlot = Math.imul(keyNo, 0x9e37_79b1) >>> 16
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (homeSlot + probe) % bucketsMax
      const owner = Atomics.compareExchange(this.#keys, slot, unusedSlot, key)
      if (owner === unusedSlot || owner === key) return slot
    }
    return homeSlot
  }
}

/** Two views of one number: its value and its bits. An atomic exchange needs an integer. */
const floatView = new Float64Array(1)
const bitsView = new BigInt64Array(floatView.buffer)

class SharedBucket implements RequestBucket {
  readonly #states: BigInt64Array<SharedArrayBuffer>
  readonly #findSlot: () => number
  #slot = -1

  constructor(states: BigInt64Array<SharedArrayBuffer>, findSlot: () => number) {
    this.#states = states
    this.#findSlot = findSlot
  }

  readFullAtMs(): number {
    if (this.#slot < 0) this.#slot = this.#findSlot()
    bitsView[0] = Atomics.load(this.#states, this.#slot)
    return floatView[0] ?? 0
  }

  replaceFullAtMs(previousMs: number, nextMs: number): boolean {
    const expectedBits = bitsOf(previousMs)
    return Atomics.compareExchange(this.#states, this.#slot, expectedBits, bitsOf(nextMs)) === expectedBits
  }
}

function bitsOf(value: number): bigint {
  floatView[0] = value
  return bitsView[0] ?? 0n
}
