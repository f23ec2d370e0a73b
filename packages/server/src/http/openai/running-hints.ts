import type { FastifyInstance } from 'fastify'
import type { Fields } from '../responses/response-fields.ts'

/**
 * Milliseconds after which OpenAI's clients poll again. Without this hint, they poll every second.
 */
const pollAfterMs = '5000'

/**
 * Returns the header with the time after which a client should poll again. Returns no header for a
 * task that has ended.
 */
export function pollHint(isEnded: boolean): Fields {
  return isEnded ? {} : { 'openai-poll-after-ms': pollAfterMs }
}

/** Statuses of errors that OpenAI's clients would retry in vain. */
const unretriedStatuses: ReadonlySet<number> = new Set([409, 504])

/** Prevents OpenAI's clients from retrying requests that failed with these statuses. */
export function addRetryHints(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (unretriedStatuses.has(reply.statusCode)) reply.header('x-should-retry', 'false')
    next()
  })
}
