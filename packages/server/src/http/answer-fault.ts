import type { FastifyReply } from 'fastify'
import type { Logger } from '../lib/logger.ts'
import { answerError } from './answer-error.ts'
import { toAppError } from './to-app-error.ts'

/** Answers whatever was thrown; what is our own fault is logged with the request id, its cause included. */
export function answerFault(reply: FastifyReply, thrown: unknown, logger: Logger): void {
  const error = toAppError(thrown)
  if (error.code === 'internal_error') {
    logger.error({ requestId: reply.request.id, err: error.cause ?? error }, 'a request failed')
  } else if (error.status === 503 && error.cause !== undefined) {
    logger.warn({ requestId: reply.request.id, err: error.cause }, 'a request was refused for now')
  }
  if (!reply.sent) answerError(reply, error)
}

/**
 * Runs code that answers outside of Fastify's sight, called back by the store or a timer: a fault there would end the
 * process and take every other request with it.
 */
export function answerSafely(reply: FastifyReply, logger: Logger, answer: () => void): void {
  try {
    answer()
  } catch (thrown) {
    answerFault(reply, thrown, logger)
  }
}
