import type { FastifyRequest } from 'fastify'
import { safeMethods } from './safe-methods.ts'

/** Routes of the operator API that only compute, preview or test something. */
const harmlessRoutes = new Set(['/models/preview', '/prices/simulate', '/routes/explain', '/routes/test'])

/**
 * Whether a console request requires that the API key was entered recently, so that an unattended
 * browser cannot be used for it. This applies to every change through the operator API. Compares
 * the matched route, because a path can be written in several ways.
 */
export function isSensitive({ method, routeOptions }: FastifyRequest, basePath: string): boolean {
  const prefix = `${basePath}/admin/v1`
  const { url = '' } = routeOptions
  return !safeMethods.has(method) && url.startsWith(`${prefix}/`) && !harmlessRoutes.has(url.slice(prefix.length))
}
