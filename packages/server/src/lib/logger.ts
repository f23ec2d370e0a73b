import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino'
import type { LogTail } from './log-tail.ts'

export type { Logger }

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
  const destination = pino.destination({ dest: 2, sync: false })
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

function copyLines(
  destination: ReturnType<typeof pino.destination>,
  tail: Pick<LogTail, 'add'>,
): DestinationStream & { flushSync(): void } {
  return {
    write(line) {
      destination.write(line)
      tail.add(line)
    },
    // Called for a fatal line, before the process ends.
    flushSync: () => destination.flushSync(),
  }
}
