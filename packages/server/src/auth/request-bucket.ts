/**
 * The token bucket of a key's rate limit. Its state is the time at which the bucket is full again.
 * A bucket may be shared by threads, so a change names the state that it replaces.
 */
export interface RequestBucket {
  readFullAtMs(): number
  /** Returns false if another thread has changed the state in the meantime. */
  replaceFullAtMs(previous: number, next: number): boolean
}

/** A bucket that only this thread uses. */
export class LocalBucket implements RequestBucket {
  #fullAtMs = 0

  readFullAtMs(): number {
    return this.#fullAtMs
  }

  replaceFullAtMs(_previous: number, next: number): boolean {
    this.#fullAtMs = next
    return true
  }
}

/** Keys with a rate limit that were used since the start. Each takes 16 bytes. */
const bucketsMax = 65_536
/** Maximum number of places that are searched for a key. */
const probesMax = 64
const unusedSlot = 0n

/**
 * Buckets in memory that all threads share, so that a rate limit applies to all threads together.
 * The memory is a hash table with open addressing, and a key keeps its place until the service
 * stops. If a part of the table is full, keys share a bucket there. Their limits are then stricter.
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

  /** Returns the bucket of a key. The bucket takes a place in the memory when it is first used. */
  get(keyNo: number): RequestBucket {
    return new SharedBucket(this.#states, () => this.#placeOf(keyNo))
  }

  #placeOf(keyNo: number): number {
    const key = BigInt(keyNo)
    const home = Math.imul(keyNo, 0x9e37_79b1) >>> 16
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (home + probe) % bucketsMax
      const owner = Atomics.compareExchange(this.#keys, slot, unusedSlot, key)
      if (owner === unusedSlot || owner === key) return slot
    }
    return home
  }
}

/** The bits of a number, because an atomic exchange needs an integer. */
const floatView = new Float64Array(1)
const bitsView = new BigInt64Array(floatView.buffer)

class SharedBucket implements RequestBucket {
  readonly #states: BigInt64Array<SharedArrayBuffer>
  readonly #findPlace: () => number
  #slot = -1

  constructor(states: BigInt64Array<SharedArrayBuffer>, findPlace: () => number) {
    this.#states = states
    this.#findPlace = findPlace
  }

  readFullAtMs(): number {
    if (this.#slot < 0) this.#slot = this.#findPlace()
    bitsView[0] = Atomics.load(this.#states, this.#slot)
    return floatView[0] ?? 0
  }

  replaceFullAtMs(previous: number, next: number): boolean {
    const expected = bitsOf(previous)
    return Atomics.compareExchange(this.#states, this.#slot, expected, bitsOf(next)) === expected
  }
}

function bitsOf(value: number): bigint {
  floatView[0] = value
  return bitsView[0] ?? 0n
}
