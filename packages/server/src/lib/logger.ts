import pino, { type LevelWithSilent, type Logger } from 'pino'

export type { Logger }

/** Structured lines on stderr: stdout belongs to what commands print. Authorization never appears, wherever it is nested. */
export function createLogger(level: LevelWithSilent): Logger {
  return pino(
    {
      level,
      base: null,
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'req.headers.authorization'],
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
