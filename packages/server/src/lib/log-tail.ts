/** Lines are dropped, the oldest first, while they have more bytes together. */
const bytesMax = 2 * 1024 * 1024
const lineBytesMax = 64 * 1024

export interface LoggedLine {
  /** Counted from 1 in this process. */
  no: number
  /** JSON text. */
  text: string
}

/** The last lines of the log of this process, in memory. */
export class LogTail {
  #lines: LoggedLine[] = []
  #bytes = 0
  #no = 0

  add(text: string): void {
    if (text.length > lineBytesMax) return
    this.#no += 1
    this.#lines.push({ no: this.#no, text })
    this.#bytes += text.length
    if (this.#bytes <= bytesMax) return
    // Drops a quarter at once, because each drop moves all other lines.
    const dropped = this.#lines.splice(0, Math.ceil(this.#lines.length / 4))
    for (const line of dropped) this.#bytes -= line.text.length
  }

  /** Returns the lines between two numbers, both excluded, newest first. */
  *between(after: number, before: number): Generator<LoggedLine> {
    for (let index = this.#lines.length - 1; index >= 0; index--) {
      const line = this.#lines[index]
      if (line === undefined || line.no <= after) return
      if (line.no < before) yield line
    }
  }
}
