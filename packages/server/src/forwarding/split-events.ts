import { ByteCollector } from '../lib/byte-collector.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

/**
 * Splits a stream of server-sent events at the empty lines between them, regardless of chunk
 * boundaries. Lines end with LF, CRLF or CR. An event keeps all of its bytes, including the empty
 * line.
 */
export class EventSplitter {
  readonly #bytesMax: number
  #unfinished = new ByteCollector()
  /** Number of bytes of the incomplete line at the end of the previous chunk. */
  #lineBytes = 0
  /** Whether the previous chunk ended with a CR to which the first LF of this chunk may belong. */
  #isReturnPending = false
  /** Whether the stream has lines that end with CR only, so that a CR ends a line at once. */
  #hasBareReturns = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Returns the events that end in this chunk. Throws if an event is larger than `bytesMax`. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = []
    if (chunk.length === 0) return events
    let eventStart = 0
    let lineStart = 0
    const endLine = (lineBytes: number, nextLineStart: number): void => {
      this.#lineBytes = 0
      lineStart = nextLineStart
      if (lineBytes > 0) return
      this.#add(chunk.subarray(eventStart, lineStart))
      events.push(this.#unfinished.read())
      this.#unfinished = new ByteCollector()
      eventStart = lineStart
    }
    if (this.#isReturnPending) {
      this.#isReturnPending = false
      this.#hasBareReturns ||= chunk[0] !== lineFeed
      endLine(this.#lineBytes, chunk[0] === lineFeed ? 1 : 0)
    }
    for (let nextReturn = -1; lineStart < chunk.length;) {
      const nextFeed = chunk.indexOf(lineFeed, lineStart)
      if (nextReturn < lineStart) nextReturn = indexOrEnd(chunk, carriageReturn, lineStart)
      if (nextFeed === -1 && nextReturn === chunk.length) {
        this.#lineBytes += chunk.length - lineStart
        break
      }
      const isFeedFirst = nextFeed !== -1 && nextFeed < nextReturn
      const lineEnd = isFeedFirst ? nextFeed : nextReturn
      const lineBytes = this.#lineBytes + lineEnd - lineStart
      if (!isFeedFirst && lineEnd + 1 === chunk.length && !this.#hasBareReturns) {
        this.#lineBytes = lineBytes
        this.#isReturnPending = true
        break
      }
      const isReturnWithFeed = !isFeedFirst && chunk[lineEnd + 1] === lineFeed
      this.#hasBareReturns ||= !isFeedFirst && !isReturnWithFeed
      endLine(lineBytes, lineEnd + (isReturnWithFeed ? 2 : 1))
    }
    if (eventStart < chunk.length) this.#add(chunk.subarray(eventStart))
    return events
  }

  /** Returns the bytes after the last empty line. */
  takeRest(): Buffer {
    return this.#unfinished.read()
  }

  #add(bytes: Buffer): void {
    if (this.#unfinished.length + bytes.length > this.#bytesMax)
      throw new EventTooLarge(`an event has more than ${this.#bytesMax} bytes`)
    this.#unfinished.add(bytes)
  }
}

function indexOrEnd(chunk: Buffer, byte: number, start: number): number {
  const index = chunk.indexOf(byte, start)
  return index === -1 ? chunk.length : index
}
