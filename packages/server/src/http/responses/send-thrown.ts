import type { FastifyReply } from 'fastify'
import type { Logger } from '../../lib/logger.ts'
import type { AppError } from '../../lib/app-error.ts'
import { errorCodeOf } from '../../lib/error-code.ts'
import { sendError } from './send-error.ts'
import { toAppError } from './to-app-error.ts'

/**
 * Sends the error response for any thrown value, and logs internal errors. Does not log the error
 * that Fastify throws if the client disconnects before a stream begins.
 */
export function sendThrown(reply: FastifyReply, cause: unknown, logger: Logger): void {
  const error = toAppError(cause)
  const isDisconnected = errorCodeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE' && reply.request.raw.socket.destroyed
  if (!isDisconnected) logError(error, reply.request.id, logger)
  if (!reply.sent) sendError(reply, error)
}

/** Logs an internal error, or the reason for an overload, with its cause and request id. */
export function logError(error: AppError, requestId: string, logger: Logger): void {
  if (error.code === 'internal_error') {
    logger.error({ requestId, err: error.cause ?? error }, 'a request failed')
  } else if (error.status === 503 && error.cause !== undefined) {
    logger.warn({ requestId, err: error.cause }, 'a request was rejected because the service is overloaded or unavailable')
  }
}

/**
 * Runs code that sends a response outside of Fastify's control, in a callback of the store or of a
 * timer. An uncaught error there would end the process.
 */
export function sendSafely(reply: FastifyReply, logger: Logger, send: () => void): void {
  try {
    send()
  } catch (cause) {
    sendThrown(reply, cause, logger)
  }
}
