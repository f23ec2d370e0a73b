import type { FastifyRequest } from 'fastify'
import { safeMethods } from './safe-methods.ts'

/**
 * Routes of the operator API that move credits, change prices or upstreams, change or import models,
 * grant or revoke access, or delete data.
 */
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
  '/tasks/:id',
  '/upstreams/:name',
])

/**
 * Whether a console request requires that the API key was entered recently, so that an unattended
 * browser cannot be used for it. Compares the matched route, because a path can be written in
 * several ways.
 */
export function isSensitive({ method, routeOptions }: FastifyRequest, basePath: string): boolean {
  const prefix = `${basePath}/admin/v1`
  const { url = '' } = routeOptions
  return !safeMethods.has(method) && url.startsWith(prefix) && sensitiveRoutes.has(url.slice(prefix.length))
}
