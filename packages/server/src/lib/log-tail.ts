/** Maximum total length of the lines. Beyond it, the oldest ones are dropped. */
const totalCharactersMax = 2 * 1024 * 1024
/** Longer lines are not stored. */
const lineCharactersMax = 64 * 1024

export interface LoggedLine {
  /** Number of the line in this process, from 1. */
  no: number
  /** JSON text. */
  text: string
}

/** The latest log lines of this process, in memory. */
export class LogTail {
  #lines: LoggedLine[] = []
  #totalCharacters = 0
  #lastNo = 0

  add(text: string): void {
    if (text.length > lineCharactersMax) return
    this.#lastNo += 1
    this.#lines.push({ no: this.#lastNo, text })
    this.#totalCharacters += text.length
    if (this.#totalCharacters <= totalCharactersMax) return
    // Drops a quarter at a time, because each drop moves all other lines.
    const droppedLines = this.#lines.splice(0, Math.ceil(this.#lines.length / 4))
    for (const line of droppedLines) this.#totalCharacters -= line.text.length
  }

  /** Yields the lines between two numbers, both exclusive, newest first. */
  *entriesBetween(afterNo: number, beforeNo: number): Generator<LoggedLine> {
    for (let index = this.#lines.length - 1; index >= 0; index--) {
      const line = this.#lines[index]
      if (line === undefined || line.no <= afterNo) return
      if (line.no < beforeNo) yield line
    }
  }
}
