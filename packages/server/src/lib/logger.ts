import pino, { type LevelWithSilent, type Logger } from 'pino'

export type { Logger }

/**
 * Writes structured lines to stderr, because stdout is for the output of commands. `commonFields`
 * is called for every line, and the line has the fields that it returns. The value of a field
 * `authorization` is redacted at the top level, one level below, and among the `headers` of an
 * object.
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
