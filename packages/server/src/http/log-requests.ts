import type { FastifyInstance } from 'fastify'
import type { Logger } from '../lib/logger.ts'
import { pathOf } from './path-of.ts'

/** One line for each request, at debug. Without the query: that of a media link is a permission. */
export function addRequestLog(app: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('debug')) return
  app.addHook('onResponse', (request, reply, done) => {
    logger.debug(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.raw.url ?? ''),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}
