const alignmentBytes = 64

/**
 * Hands out regions of one shared memory, first to last, never given back: a new plan starts a new arena over the same
 * memory. The first 64 KiB are left alone.
 */
export class Arena {
  readonly memory: WebAssembly.Memory
  readonly #end: number
  #next: number

  constructor(memory: WebAssembly.Memory, start = 65_536, end = memory.buffer.byteLength) {
    this.memory = memory
    this.#next = start
    this.#end = end
  }

  get usedBytes(): number {
    return this.#next
  }

  /** A region of `bytes`, with slack behind it, because kernels read and store whole vectors. Holds what was there before. */
  take(bytes: number): number {
    const start = this.#next
    const end = start + Math.ceil((bytes + alignmentBytes) / alignmentBytes) * alignmentBytes
    if (end > this.#end) throw new RangeError(`picture memory is too small: ${end} bytes needed, ${this.#end} given`)
    this.#next = end
    return start
  }

  /** An arena over what is left, for what is needed for a moment: whatever this one hands out next overwrites it. */
  rest(): Arena {
    return new Arena(this.memory, this.#next, this.#end)
  }
}
