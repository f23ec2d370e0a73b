import type { FastifyRequest } from 'fastify'
import { safeMethods } from './safe-methods.ts'

/** Routes of operators that move credits, change prices, or create and end access. */
const sensitiveRoutes = new Set([
  '/accounts/:id',
  '/accounts/:id/keys',
  '/accounts/:id/grants',
  '/accounts/:id/adjustments',
  '/accounts/:id/erase',
  '/accounts/:id/tasks',
  '/keys/:id',
  '/keys/:id/rotate',
  '/models/:id',
  '/models/import',
  '/prices',
  '/upstreams/:name',
])

/**
 * Whether a request of the console requires that the user has entered the key a short time ago. An
 * unattended browser then gives away neither credits nor access. The matched route decides, because
 * one route has many spellings of its path.
 */
export function isSensitive({ method, routeOptions }: FastifyRequest, basePath: string): boolean {
  const prefix = `${basePath}/admin/v1`
  const { url = '' } = routeOptions
  return !safeMethods.has(method) && url.startsWith(prefix) && sensitiveRoutes.has(url.slice(prefix.length))
}
