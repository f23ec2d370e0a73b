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
  /**
   * Number of bytes in the current, incomplete line, and whether the last one is a carriage return.
   */
  #lineBytes = 0
  #endsWithReturn = false

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Returns the events that end in this chunk. Throws if an event is larger than `bytesMax`. */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = []
    let start = 0
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(lineFeed, from)
      if (end === -1) {
        this.#lineBytes += chunk.length - from
        this.#endsWithReturn = chunk.at(-1) === carriageReturn
        break
      }
      const length = this.#lineBytes + end - from
      const endsWithReturn = end > from ? chunk[end - 1] === carriageReturn : this.#endsWithReturn
      this.#lineBytes = 0
      this.#endsWithReturn = false
      from = end + 1
      if (length > 1 || (length === 1 && !endsWithReturn)) continue
      this.#add(chunk.subarray(start, from))
      events.push(this.#unfinished.read())
      this.#unfinished = new ByteCollector()
      start = from
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
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
