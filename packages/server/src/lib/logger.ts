import { currentWork } from './current-work.ts'
import pino, { type LevelWithSilent, type Logger } from 'pino'

export type { Logger }

/**
 * Structured lines on stderr: stdout belongs to what commands print. What is done for a task bears its id, its attempt and its route.
 * Authorization never appears, wherever it is nested.
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
