import { AppError } from '../../lib/app-error.ts'

/**
 * A request body that is read in pieces. If the connection is lost, `readPiece` still yields the
 * bytes that have arrived, and `requireComplete` then throws the error.
 */
export class IncomingBody {
  readonly #chunks: AsyncIterator<Buffer>
  #unread: Buffer | null = null
  #hasEnded = false
  #error: unknown = null

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks
  }

  /**
   * Waits for the next bytes. Resolves to false if the body has ended or the connection was lost.
   */
  async hasMore(): Promise<boolean> {
    while (this.#unread === null && !this.#hasEnded) {
      try {
        const next = await this.#chunks.next()
        if (next.done === true) this.#hasEnded = true
        else if (next.value.byteLength > 0) this.#unread = next.value
      } catch (error) {
        this.#hasEnded = true
        this.#error = error
      }
    }
    return this.#unread !== null
  }

  /** Reads the next bytes, up to `bytesMax`. */
  async *readPiece(bytesMax: number): AsyncGenerator<Buffer> {
    for (let remaining = bytesMax; remaining > 0 && (await this.hasMore());) {
      const chunk = this.#unread
      if (chunk === null) return
      const piece = chunk.subarray(0, remaining)
      this.#unread = piece.byteLength < chunk.byteLength ? chunk.subarray(remaining) : null
      remaining -= piece.byteLength
      yield piece
    }
  }

  /** Throws the error if the connection was lost. */
  requireComplete(): void {
    if (this.#error === null) return
    throw this.#error instanceof Error
      ? this.#error
      : new AppError('invalid_request', 'The request ended before its body was complete.')
  }
}
