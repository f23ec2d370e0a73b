import type { FastifyInstance } from 'fastify'
import type { Logger } from '../lib/logger.ts'
import { pathOf } from './path-of.ts'

/** Matches an API key, which a client may put into a path by mistake. */
const apiKeyPattern = /fg_live_[\w-]+/g

/**
 * Logs one line for each request at level debug. Omits the query, the last segment of a callback path
 * and API keys, because a log must not contain secrets.
 */
export function addRequestLog(app: FastifyInstance, basePath: string, logger: Logger): void {
  if (!logger.isLevelEnabled('debug')) return
  const callbacksPath = `${basePath}/callbacks/`
  const redact = (path: string): string =>
    path.startsWith(callbacksPath) ? path.split('/').slice(0, -1).concat('…').join('/') : path.replaceAll(apiKeyPattern, '…')
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
