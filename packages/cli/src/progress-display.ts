import type { Task } from '@framegate/sdk'

/** Tells a person how a task goes, on stderr: a bar on a terminal, plain lines elsewhere. */
export interface ProgressDisplay extends Disposable {
  show(task: Task): void
  say(words: string): void
}

const barCells = 28
const redrawMs = 200
const lineStepPercent = 10

export function createProgressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY ? createBar(stream) : createLines(stream)
}

function createBar(stream: NodeJS.WriteStream): ProgressDisplay {
  const startedAtMs = performance.now()
  let task: Task | undefined

  function draw(): void {
    if (task === undefined) return
    const seconds = Math.floor((performance.now() - startedAtMs) / 1000)
    const filled = Math.round((barCells * task.progress) / 100)
    const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled)
    stream.write(`\r\x1b[K${bar} ${String(task.progress).padStart(3)} %  ${task.status}  ${seconds} s`)
  }

  const timer = setInterval(draw, redrawMs).unref()
  return {
    show(shown) {
      task = shown
      draw()
    },
    say(words) {
      stream.write(`${task === undefined ? '' : '\r\x1b[K'}${words}\n`)
      draw()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      if (task !== undefined) stream.write('\r\x1b[K')
      task = undefined
    },
  }
}

function createLines(stream: NodeJS.WriteStream): ProgressDisplay {
  let last: Task | undefined
  return {
    show(task) {
      const hasMoved = last === undefined || last.status !== task.status || task.progress - last.progress >= lineStepPercent
      if (!hasMoved) return
      last = task
      stream.write(`${task.id} ${task.status}${task.status === 'processing' ? ` ${task.progress} %` : ''}\n`)
    },
    say(words) {
      stream.write(`${words}\n`)
    },
    [Symbol.dispose]() {
      last = undefined
    },
  }
}
