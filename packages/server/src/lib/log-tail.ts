/** Maximum total size of the lines. Beyond it, the oldest ones are dropped. */
const bytesMax = 2 * 1024 * 1024
const lineBytesMax = 64 * 1024

export interface LoggedLine {
  /** Number of the line in this process, from 1. */
  no: number
  /** JSON text. */
  text: string
}

/** The latest log lines of this process, in memory. */
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
    // Drops a quarter at a time, because each drop moves all other lines.
    const droppedLines = this.#lines.splice(0, Math.ceil(this.#lines.length / 4))
    for (const line of droppedLines) this.#bytes -= line.text.length
  }

  /** Yields the lines between two numbers, both exclusive, newest first. */
  *entriesBetween(after: number, before: number): Generator<LoggedLine> {
    for (let index = this.#lines.length - 1; index >= 0; index--) {
      const line = this.#lines[index]
      if (line === undefined || line.no <= after) return
      if (line.no < before) yield line
    }
  }
}
