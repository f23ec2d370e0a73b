import { AppError } from '../../lib/app-error.ts'

/**
 * A request body that is read in pieces. When the connection breaks, the bytes that have arrived
 * are returned as a normal piece, and `requireWhole` throws the error afterwards.
 */
export class ArrivingBody {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer | null = null
  #isOver = false
  #error: unknown = null

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks
  }

  /** Waits for the next bytes. False when the body has ended or the connection has broken. */
  async hasMore(): Promise<boolean> {
    while (this.#rest === null && !this.#isOver) {
      try {
        const next = await this.#chunks.next()
        if (next.done === true) this.#isOver = true
        else if (next.value.byteLength > 0) this.#rest = next.value
      } catch (error) {
        this.#isOver = true
        this.#error = error
      }
    }
    return this.#rest !== null
  }

  /** Reads the next bytes, up to `bytesMax`. */
  async *piece(bytesMax: number): AsyncGenerator<Buffer> {
    for (let left = bytesMax; left > 0 && (await this.hasMore());) {
      const chunk = this.#rest
      if (chunk === null) return
      const taken = chunk.subarray(0, left)
      this.#rest = taken.byteLength < chunk.byteLength ? chunk.subarray(left) : null
      left -= taken.byteLength
      yield taken
    }
  }

  /** Throws the error if the connection has broken. */
  requireWhole(): void {
    if (this.#error === null) return
    throw this.#error instanceof Error ? this.#error : new AppError('invalid_request', 'The body broke off.')
  }
}
