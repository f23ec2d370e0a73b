import type { FastifyRequest } from 'fastify'

/** Requests of operators that move credits, change prices, or create and end access. */
const sensitivePatterns = [
  /^\/accounts\/[^/]+$/,
  /^\/accounts\/[^/]+\/(?:keys|grants|adjustments|erase|tasks)$/,
  /^\/keys\/[^/]+(?:\/rotate)?$/,
  /^\/prices$/,
  /^\/upstreams\/[^/]+$/,
]
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request of the console requires that the user has entered the key a short time ago. An
 * unattended browser then gives away neither credits nor access.
 */
export function isSensitive({ method, raw }: FastifyRequest, basePath: string): boolean {
  const prefix = `${basePath}/admin/v1`
  const [path = ''] = (raw.url ?? '').split(/[?#]/, 1)
  if (safeMethods.has(method) || !path.startsWith(prefix)) return false
  return sensitivePatterns.some((pattern) => pattern.test(path.slice(prefix.length)))
}
