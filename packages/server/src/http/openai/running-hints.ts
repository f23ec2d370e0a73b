import type { FastifyInstance } from 'fastify'
import type { Fields } from '../responses/response-fields.ts'

/**
 * Milliseconds after which OpenAI's clients poll again. Without this hint, they poll every second.
 */
const pollAfterMs = '5000'

/** Tells a polling client when to poll again, if the task has not ended. */
export function pollHint(isEnded: boolean): Fields {
  return isEnded ? {} : { 'openai-poll-after-ms': pollAfterMs }
}

/** Statuses after which OpenAI's clients would repeat a request, with the same error again. */
const notRepeated: ReadonlySet<number> = new Set([409, 504])

/** Keeps OpenAI's clients from repeating requests that would be refused again. */
export function addRetryHints(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (notRepeated.has(reply.statusCode)) reply.header('x-should-retry', 'false')
    next()
  })
}
