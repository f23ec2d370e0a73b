const alignmentBytes = 64

/**
 * Hands out regions of one shared memory, from first to last. Regions are never given back: a new
 * plan starts a new arena over the same memory. The first 64 KiB stay unused.
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

  /**
   * Returns the address of a region of `bytes`, followed by slack, because kernels read and store
   * whole vectors. The region keeps its old content. Throws a `RangeError` if the memory is too
   * small.
   */
  take(bytes: number): number {
    const start = this.#next
    const end = start + Math.ceil((bytes + alignmentBytes) / alignmentBytes) * alignmentBytes
    if (end > this.#end) throw new RangeError(`picture memory is too small: ${end} bytes needed, ${this.#end} given`)
    this.#next = end
    return start
  }

  /**
   * An arena over the remaining memory, for temporary content: the next region that this arena
   * hands out overwrites it.
   */
  rest(): Arena {
    return new Arena(this.memory, this.#next, this.#end)
  }
}
