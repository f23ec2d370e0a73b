import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBearer } from '../../auth/read-bearer.ts'
import { AppError } from '../../lib/app-error.ts'
import { sendError } from '../responses/send-error.ts'
import { requestedHost } from '../brand-of.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/**
 * Serves metrics to Prometheus, outside the base path. Requests need the configured token, because
 * metrics reveal the volume of business. Without a configured token, the route admits only clients
 * on this machine in development mode, and no client in production mode.
 */
export function addMetricsRoute(app: FastifyInstance, { config, metrics }: Pick<HttpDependencies, 'config' | 'metrics'>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    onRequest(request, reply, next) {
      const error = findTokenError(request)
      if (error === null) next()
      else sendError(reply, error)
    },
    async handler(_request, reply) {
      reply.header('content-type', metrics.contentType).header('cache-control', 'no-store')
      return metrics.metrics()
    },
  })

  function findTokenError(request: FastifyRequest): AppError | null {
    const { metricsToken, mode } = config
    if (metricsToken !== null) {
      const token = readBearer(request.headers.authorization)
      if (token instanceof AppError) return token
      return isSameToken(token, metricsToken.reveal())
        ? null
        : new AppError('invalid_api_key', 'This is not the configured metrics token.')
    }
    if (mode === 'development' && isLocalRequest(request)) return null
    return new AppError('missing_api_key', 'Metrics require a token, and this service has none; the operator can configure one.')
  }
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether a client on this machine sent the request. The remote address alone does not prove this,
 * because a proxy on this machine forwards requests of other machines, and because a web page may
 * use a host name that resolves to this machine (DNS rebinding).
 */
function isLocalRequest({ socket, headers, raw }: FastifyRequest): boolean {
  const { hostname = '' } = URL.parse(`http://${requestedHost(raw)}`) ?? {}
  const isLocalHost = hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
  return isLocalHost && isLoopback(socket.remoteAddress ?? '') && proxyHeaders.every((name) => headers[name] === undefined)
}

function isLoopback(address: string): boolean {
  const unmapped = address.replace(/^::ffff:/, '')
  return unmapped === '::1' || (isIP(unmapped) === 4 && unmapped.startsWith('127.'))
}

function isSameToken(token: string, expectedToken: string): boolean {
  return timingSafeEqual(digestOf(token), digestOf(expectedToken))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
