import type { FastifyInstance } from 'fastify'
import type { Logger } from '../lib/logger.ts'
import { pathOf } from './path-of.ts'

/**
 * Logs one line for each request at level debug. The query and the last segment of a callback path
 * are omitted, because they may contain secrets.
 */
export function addRequestLog(app: FastifyInstance, basePath: string, logger: Logger): void {
  if (!logger.isLevelEnabled('debug')) return
  const callbacksPath = `${basePath}/callbacks/`
  const redact = (path: string): string =>
    path.startsWith(callbacksPath) ? path.split('/').slice(0, -1).concat('…').join('/') : path
  app.addHook('onResponse', (request, reply, done) => {
    logger.debug(
      {
        requestId: request.id,
        method: request.method,
        path: redact(pathOf(request.raw.url ?? '')),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request completed',
    )
    done()
  })
}
