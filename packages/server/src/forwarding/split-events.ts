import { ByteCollector } from '../lib/byte-collector.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

/**
 * Splits a stream of server-sent events at the empty lines between them, regardless of chunk
 * boundaries. An event keeps all of its bytes, including the empty line.
 */
export class EventSplitter {
  readonly #bytesMax: number
  #unfinished = new ByteCollector()
  /** Number of bytes of the incomplete line at the end of the previous chunk. */
  #lineBytes = 0
  /** Whether that line ends with a carriage return. */
  #endsWithReturn = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Returns the events that end in this chunk. Throws if an event is larger than `bytesMax`. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = []
    let eventStart = 0
    for (let lineStart = 0; lineStart < chunk.length;) {
      const lineEnd = chunk.indexOf(lineFeed, lineStart)
      if (lineEnd === -1) {
        this.#lineBytes += chunk.length - lineStart
        this.#endsWithReturn = chunk.at(-1) === carriageReturn
        break
      }
      const lineBytes = this.#lineBytes + lineEnd - lineStart
      const endsWithReturn = lineEnd > lineStart ? chunk[lineEnd - 1] === carriageReturn : this.#endsWithReturn
      this.#lineBytes = 0
      this.#endsWithReturn = false
      lineStart = lineEnd + 1
      if (lineBytes > 1 || (lineBytes === 1 && !endsWithReturn)) continue
      this.#add(chunk.subarray(eventStart, lineStart))
      events.push(this.#unfinished.read())
      this.#unfinished = new ByteCollector()
      eventStart = lineStart
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
