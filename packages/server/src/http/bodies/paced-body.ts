import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { AppError } from '../../lib/app-error.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { PaceWatch } from '../connections/transfer-pace.ts'
import { chunkBytesMin, chunksTooSmall, endedEarly, findEncodingError, uncheckedChunksMax, tooSlow } from './json-body.ts'

/**
 * Reads a body on demand, chunk by chunk. Throws if the chunks arrive too slowly or are too small,
 * or if the client disconnects.
 */
export class PacedBody implements AsyncIterator<Buffer>, Disposable {
  readonly #bytes: AsyncIterator<Buffer>
  readonly #tooSlow = new AbortController()
  readonly #transfer: ReturnType<PaceWatch['watch']>
  #chunkCount = 0
  #sizeBytes = 0

  constructor(request: IncomingMessage, pace: PaceWatch) {
    this.#bytes = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    this.#transfer = pace.watch(() => this.#tooSlow.abort(tooSlow()))
    this.#transfer.pause()
  }

  async next(): Promise<IteratorResult<Buffer>> {
    // Only time in which the service waits for the client counts. Between two reads, the service
    // processes the chunk.
    this.#transfer.resume()
    try {
      const nextChunk = await orAborted(this.#bytes.next(), this.#tooSlow.signal)
      if (nextChunk.done === true) return nextChunk
      this.#transfer.recordReceived(nextChunk.value.byteLength)
      this.#sizeBytes += nextChunk.value.byteLength
      if (++this.#chunkCount > uncheckedChunksMax && this.#sizeBytes < this.#chunkCount * chunkBytesMin) throw chunksTooSmall()
      return nextChunk
    } catch (cause) {
      throw cause instanceof AppError ? cause : endedEarly(cause)
    } finally {
      this.#transfer.pause()
    }
  }

  [Symbol.dispose](): void {
    this.#transfer[Symbol.dispose]()
    // Not awaited, because during a read that is too slow, this promise settles only when the
    // connection is closed.
    this.#bytes.return?.().catch(() => {})
  }
}

/** Throws if the headers show that a body is compressed or too large. */
export function requireReadableForm({ headers }: IncomingMessage, bytesMax: number): void {
  requireUnencoded(headers)
  if (Number(headers['content-length']) > bytesMax) {
    const message = `The body is larger than the ${bytesMax} bytes allowed; send a smaller file.`
    throw new AppError('body_too_large', message, { param: 'file' })
  }
}

export function requireUnencoded(headers: IncomingHttpHeaders): void {
  const error = findEncodingError(headers)
  if (error !== null) throw error
}
