import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino'
import { LogDestination } from './log-destination.ts'
import type { LogTail } from './log-tail.ts'

export type { Logger }

const stderrFd = 2
/** The destination of all loggers of this thread. */
let stderr: LogDestination | undefined

/**
 * Creates a logger that writes structured lines to stderr, because stdout is for the output of
 * commands. Each line also has the fields that `commonFields` returns at that time. The field
 * `authorization` is redacted at the top level, one level below, and in the `headers` of an object.
 * `tail` also receives each line.
 */
export function createLogger(
  level: LevelWithSilent,
  commonFields: () => object = () => ({}),
  tail?: Pick<LogTail, 'add'>,
): Logger {
  const destination = (stderr ??= new LogDestination(stderrFd))
  return pino(
    {
      level,
      base: null,
      mixin: commonFields,
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'req.headers.authorization'],
    },
    tail === undefined ? destination : copyLines(destination, tail),
  )
}

function copyLines(destination: LogDestination, tail: Pick<LogTail, 'add'>): DestinationStream & { flushSync(): void } {
  return {
    write(line) {
      destination.write(line)
      tail.add(line)
    },
    // Called for a fatal line, before the process ends.
    flushSync: () => destination.flushSync(),
  }
}
