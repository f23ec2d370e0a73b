import type { FastifyInstance } from 'fastify'
import type { Fields } from '../responses/response-fields.ts'

/**
 * Milliseconds after which OpenAI's clients poll again. Without this hint, they poll every second.
 */
const pollAfterMs = '5000'

/**
 * Returns the header that tells a client when to poll again. If the task has ended, there is none.
 */
export function pollHint(isEnded: boolean): Fields {
  return isEnded ? {} : { 'openai-poll-after-ms': pollAfterMs }
}

/** Statuses that OpenAI's clients would retry although they would get the same error again. */
const notRetriedStatuses: ReadonlySet<number> = new Set([409, 504])

/** Prevents OpenAI's clients from retrying requests that would fail again. */
export function addRetryHints(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (notRetriedStatuses.has(reply.statusCode)) reply.header('x-should-retry', 'false')
    next()
  })
}
