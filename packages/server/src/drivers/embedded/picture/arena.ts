const alignmentBytes = 64

/**
 * Hands out regions of one shared memory, first to last, never given back: a new plan starts a new arena over the same
 * memory. The first 64 KiB are left alone.
 */
export class Arena {
  readonly memory: WebAssembly.Memory
  #next = 65_536

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory
  }

  get usedBytes(): number {
    return this.#next
  }

  /** A region of `bytes`, with slack behind it, because kernels read and store whole vectors. Holds what was there before. */
  take(bytes: number): number {
    const start = this.#next
    const end = start + Math.ceil((bytes + alignmentBytes) / alignmentBytes) * alignmentBytes
    if (end > this.memory.buffer.byteLength) {
      throw new RangeError(`picture memory is too small: ${end} bytes needed, ${this.memory.buffer.byteLength} given`)
    }
    this.#next = end
    return start
  }
}
