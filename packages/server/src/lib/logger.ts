import { currentWork } from '../identity/current-work.ts'
import pino, { type LevelWithSilent, type Logger } from 'pino'

export type { Logger }

/**
 * Writes structured lines to stderr; stdout is for the output of commands. Lines about a task have
 * its id, its attempt and its route. Authorization never appears, however deeply nested.
 */
export function createLogger(level: LevelWithSilent): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: workFields,
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'req.headers.authorization'],
    },
    pino.destination({ dest: 2, sync: false }),
  )
}

function workFields(): object {
  const work = currentWork()
  return work === undefined ? {} : { task: work.taskId, attempt: work.attemptId, route: work.routeName }
}
