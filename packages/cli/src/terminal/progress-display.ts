import type { Task } from '@framegate/sdk'
import { plainText } from './write.ts'

/**
 * Shows the progress of tasks on stderr. On a terminal, each task has one line that is redrawn.
 * Otherwise each change of the status, and each ten percent of progress, is a new line.
 */
export interface ProgressDisplay extends Disposable {
  show(task: Task, label?: string): void
  /** Removes the line of the task. */
  end(id: string): void
  showMessage(message: string): void
  /**
   * Calls `write`, which may write to stdout on the same terminal. Clears the progress lines before
   * and redraws them afterwards.
   */
  writeAround(write: () => void): void
}

const barCells = 28
const redrawIntervalMs = 200
const lineStepPercent = 10
const defaultTerminalRows = 24

export function createProgressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY && process.env['TERM'] !== 'dumb' ? createRowDisplay(stream) : createLineDisplay(stream)
}

interface Row {
  task: Task
  label: string
  shownAtMs: number
}

function createRowDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  const rows = new Map<string, Row>()
  let drawnRows = 0

  function clear(): string {
    const moveUp = drawnRows > 1 ? `\x1b[${drawnRows - 1}A` : ''
    const wasDrawn = drawnRows > 0
    drawnRows = 0
    return wasDrawn ? `\r${moveUp}\x1b[J` : ''
  }

  function draw(): void {
    const clearSequence = clear()
    if (rows.size === 0) return void (clearSequence !== '' && stream.write(clearSequence))
    const lines = linesThatFit([...rows.values()].map(describeRow), (stream.rows || defaultTerminalRows) - 1)
    drawnRows = lines.length
    // Turns line wrapping off, so that a long label never takes up more than one row.
    stream.write(`${clearSequence}\x1b[?7l${lines.join('\n')}\x1b[?7h`)
  }

  const timer = setInterval(draw, redrawIntervalMs).unref()
  return {
    show(task, label = '') {
      rows.set(task.id, { task, label, shownAtMs: rows.get(task.id)?.shownAtMs ?? performance.now() })
      draw()
    },
    end(id) {
      rows.delete(id)
      draw()
    },
    showMessage(message) {
      stream.write(`${clear()}${message}\n`)
      draw()
    },
    writeAround(write) {
      stream.write(clear())
      write()
      draw()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      rows.clear()
      draw()
    },
  }
}

function describeRow({ task, label, shownAtMs }: Row): string {
  const seconds = Math.floor((performance.now() - shownAtMs) / 1000)
  const filledCells = Math.round((barCells * task.progress) / 100)
  const bar = '█'.repeat(filledCells) + '░'.repeat(barCells - filledCells)
  const progress = `${bar} ${String(task.progress).padStart(3)} %  ${task.status.padEnd(10)}  ${seconds} s`
  return label === '' ? progress : `${progress}  ${plainText(label)}`
}

function linesThatFit(lines: string[], rowsMax: number): string[] {
  if (lines.length <= rowsMax) return lines
  const shownCount = Math.max(1, rowsMax - 1)
  return [...lines.slice(0, shownCount), `… and ${lines.length - shownCount} more`]
}

function createLineDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  const shownById = new Map<string, Task>()
  return {
    show(task, label = '') {
      const shownTask = shownById.get(task.id)
      const hasMoved =
        shownTask === undefined || shownTask.status !== task.status || task.progress - shownTask.progress >= lineStepPercent
      if (!hasMoved) return
      shownById.set(task.id, task)
      const progress = task.status === 'processing' ? ` ${task.progress} %` : ''
      const labelText = shownTask === undefined && label !== '' ? `: ${plainText(label)}` : ''
      stream.write(`${task.id} ${task.status}${progress}${labelText}\n`)
    },
    end: () => {},
    showMessage(message) {
      stream.write(`${message}\n`)
    },
    writeAround: (write) => write(),
    [Symbol.dispose]: () => shownById.clear(),
  }
}
