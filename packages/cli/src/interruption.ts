import { constants } from 'node:os'

/**
 * Time in which several signals count as one press of Ctrl-C. The terminal, npm and the launcher
 * may each send one. The launcher is a parent process if the shell's Node is too old for this
 * program.
 */
const onePressMs = 500
const parentCheckIntervalMs = 1_000

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface Interruption extends Disposable {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal
  /** Exit code of an interrupted command: 130 after Ctrl-C, 143 after SIGTERM. */
  readonly exitCode: number
}

/**
 * Watches for SIGINT, SIGTERM and SIGHUP. The first one aborts `signal`, the second one exits
 * immediately.
 */
export function watchForInterruption(): Interruption {
  const controller = new AbortController()
  let exitCode = 0
  let firstAtMs = 0

  function interrupt(name: NodeJS.Signals): void {
    if (!controller.signal.aborted) {
      firstAtMs = performance.now()
      exitCode = exitCodeOf(name)
      controller.abort()
    } else if (performance.now() - firstAtMs >= onePressMs) {
      process.exit(exitCodeOf(name))
    }
  }

  for (const name of signalNames) process.on(name, interrupt)
  const stopWatching = watchParent(() => interrupt('SIGTERM'))
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
 * Calls `onExit` if the parent process was killed, so that the service does not keep its port. The
 * death of the launcher closes the IPC channel. That of npm's shell changes the parent process id.
 */
function watchParent(onExit: () => void): () => void {
  const isStartedByNpm = process.env['npm_lifecycle_event'] !== undefined
  const parent = process.ppid
  const timer = setInterval(() => isStartedByNpm && process.ppid !== parent && onExit(), parentCheckIntervalMs)
  timer.unref()
  process.on('disconnect', onExit)
  process.channel?.unref()
  return () => {
    clearInterval(timer)
    process.off('disconnect', onExit)
  }
}

function exitCodeOf(name: NodeJS.Signals): number {
  return 128 + constants.signals[name]
}
