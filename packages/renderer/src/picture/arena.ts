const alignmentBytes = 64

/**
 * Allocates regions of one shared memory at rising addresses. Regions are never freed: a new plan
 * starts a new arena over the same memory. By default, the first 64 KiB stay unused.
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

  /** Address of the next region. */
  get nextAddress(): number {
    return this.#next
  }

  /**
   * Returns the address of a region of `bytes` bytes. At least 64 unused bytes follow the region,
   * because kernels read and store whole vectors. The region is not cleared. Throws a `RangeError`
   * if the memory is too small.
   */
  allocate(bytes: number): number {
    const start = this.#next
    const end = start + Math.ceil((bytes + alignmentBytes) / alignmentBytes) * alignmentBytes
    if (end > this.#end) throw new RangeError(`the image memory is too small: ${end} bytes are needed, and it has ${this.#end}`)
    this.#next = end
    return start
  }

  /**
   * Returns an arena over the memory that is still free. Its content is temporary: the next
   * `allocate` of this arena overwrites it.
   */
  remaining(): Arena {
    return new Arena(this.memory, this.#next, this.#end)
  }
}
