import { constants } from 'node:os'

/**
 * One press of Ctrl-C may arrive more than once: from the terminal, from npm and from the older Node that started this
 * one. What comes within this time is the same press.
 */
const samePressMs = 500

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface Interruption extends Disposable {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** What a command that was cut short answers: 130 after Ctrl-C, 143 after SIGTERM. */
  readonly exitCode: number
}

/** The first signal asks the command to end; the second ends the process at once. */
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
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    [Symbol.dispose]() {
      for (const name of signalNames) process.off(name, interrupt)
    },
  }
}

function exitCodeOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name]
}
