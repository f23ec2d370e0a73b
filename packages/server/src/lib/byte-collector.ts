const initialBytes = 4 * 1024
const emptyBuffer = Buffer.alloc(0)

/**
 * Collects chunks of bytes in a growing buffer. Its memory is proportional to the number of bytes
 * even for tiny chunks, while a list of chunks would take about a hundred additional bytes per
 * chunk.
 */
export class ByteCollector {
  #bytes: Buffer = emptyBuffer
  #length = 0
  readonly #expectedBytes: number

  /** `expectedBytes` is the announced size. Even so, memory is allocated only as bytes arrive. */
  constructor(expectedBytes = 0) {
    this.#expectedBytes = expectedBytes
  }

  get length(): number {
    return this.#length
  }

  /** Returns the memory that the collector will use after `moreBytes` are added, in bytes. */
  bytesAfterAppending(moreBytes: number): number {
    const neededBytes = this.#length + moreBytes
    // The first chunk is kept without a copy, because it may be the whole body.
    if (this.#length === 0) return moreBytes
    if (neededBytes <= this.#bytes.byteLength) return this.#bytes.byteLength
    const grownBytes = Math.max(neededBytes, initialBytes, 2 * this.#bytes.byteLength)
    return this.#expectedBytes >= neededBytes ? Math.min(grownBytes, this.#expectedBytes) : grownBytes
  }

  add(chunk: Buffer): void {
    const capacityBytes = this.bytesAfterAppending(chunk.byteLength)
    if (this.#length === 0) {
      this.#bytes = chunk
    } else {
      // The buffer of the first chunk belongs to its sender, so the bytes are copied to a new one
      // even if it is large enough.
      if (capacityBytes > this.#bytes.byteLength) this.#grow(capacityBytes)
      chunk.copy(this.#bytes, this.#length)
    }
    this.#length += chunk.byteLength
  }

  /** Returns the collected bytes, without a copy. */
  read(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(capacityBytes: number): void {
    const largerBuffer = Buffer.allocUnsafeSlow(capacityBytes)
    this.#bytes.copy(largerBuffer, 0, 0, this.#length)
    this.#bytes = largerBuffer
  }
}
