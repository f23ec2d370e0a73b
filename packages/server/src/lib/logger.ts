import pino, { type LevelWithSilent, type Logger } from 'pino'

export type { Logger }

/**
 * Writes structured lines to stderr; stdout is for the output of commands. Every line has the fields
 * of `commonFields` at its time. Authorization never appears, however deeply nested.
 */
export function createLogger(level: LevelWithSilent, commonFields: () => object = () => ({})): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: commonFields,
      redact: ['authorization', '*.authorization', '*.headers.authorization', 'req.headers.authorization'],
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
