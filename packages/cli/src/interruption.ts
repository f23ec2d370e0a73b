import { constants } from 'node:os'

/**
 * One press of Ctrl-C may arrive more than once: from the terminal, from npm and from the older
 * Node that started this process. Signals within this time count as one press.
 */
const samePressMs = 500
const starterCheckMs = 1_000

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface Interruption extends Disposable {
  /** The first signal aborts it. */
  readonly signal: AbortSignal
  /** Exit code of an interrupted command: 130 after Ctrl-C, 143 after SIGTERM. */
  readonly exitCode: number
}

/** The first signal asks the command to end. The second ends the process at once. */
export function watchForInterruption(): Interruption {
  const controller = new AbortController()
  let exitCode = 0
  let firstAtMs = 0

  function interrupt(name: NodeJS.Signals): void {
    if (!controller.signal.aborted) {
      firstAtMs = performance.now()
      exitCode = exitCodeOf(name)
      controller.abort()
    } else if (performance.now() - firstAtMs >= samePressMs) {
      process.exit(exitCodeOf(name))
    }
  }

  for (const name of signalNames) process.on(name, interrupt)
  const stopWatching = watchStarter(() => interrupt('SIGTERM'))
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    [Symbol.dispose]() {
      for (const name of signalNames) process.off(name, interrupt)
      stopWatching()
    },
  }
}

/**
 * Detects that the process that started this command was killed. A launcher on an older Node then
 * closes its IPC channel. A shell of npm is then no longer the parent of this process. A service
 * without its starter must release its port.
 */
function watchStarter(onGone: () => void): () => void {
  const isStartedByNpm = process.env['npm_lifecycle_event'] !== undefined
  const parent = process.ppid
  const timer = setInterval(() => isStartedByNpm && process.ppid !== parent && onGone(), starterCheckMs)
  timer.unref()
  process.on('disconnect', onGone)
  process.channel?.unref()
  return () => {
    clearInterval(timer)
    process.off('disconnect', onGone)
  }
}

function exitCodeOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name]
}
