/**
 * Shows progress on a terminal as a line that is redrawn, otherwise as a new line at most every 30
 * seconds.
 */
export interface ProgressLine extends Disposable {
  /** Shows the text that `line` returns, unless it is too early for the next line. */
  show(line: () => string): void
  clear(): void
}

const redrawIntervalMs = 200
const lineIntervalMs = 30_000

export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  const isTerminal = stream.isTTY && process.env['TERM'] !== 'dumb'
  let shownAtMs = performance.now()
  const clear = (): void => void (isTerminal && stream.write('\r\x1b[K'))
  return {
    clear,
    show(line) {
      if (performance.now() - shownAtMs < (isTerminal ? redrawIntervalMs : lineIntervalMs)) return
      shownAtMs = performance.now()
      stream.write(isTerminal ? `\r\x1b[K${line()}` : `${line()}\n`)
    },
    [Symbol.dispose]: clear,
  }
}

export function percentOf(part: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * part) / total))
}
