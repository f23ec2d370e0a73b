import { isIP } from 'node:net'
import { hostNameOf } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { brandOf, requestedHost } from '../brand-of.ts'
import { isOwnOrigin } from '../is-own-origin.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

type OriginRules = Pick<HttpDependencies, 'config' | 'origin'>

/**
 * Returns an onRequest hook that rejects requests from web pages, except pages of an admitted
 * origin and of the service itself. Programs that are not browsers send no `Origin`.
 *
 * If the service listens on a loopback address, the hook also rejects unknown host names. Otherwise
 * a page could reach the service on its visitor's machine through a DNS name that the page controls
 * (DNS rebinding). The MCP specification requires both checks.
 */
export function requireAdmittedOrigin(rules: OriginRules) {
  const isLoopbackOnly = isLoopback(rules.config.host)
  return (request: FastifyRequest, _reply: unknown, next: (error?: Error) => void): void => {
    const isHostKnown = isKnownHost(rules, request)
    const { origin } = request.raw.headers
    if (isLoopbackOnly && !isHostKnown) return next(forbiddenHeader('host'))
    if (origin !== undefined && !isAdmitted(rules, request, origin, isHostKnown)) return next(forbiddenHeader('origin'))
    next()
  }
}

function isAdmitted({ config }: OriginRules, { raw }: FastifyRequest, origin: string, isHostKnown: boolean): boolean {
  if (config.corsOrigins === '*' || config.corsOrigins.includes(origin)) return true
  return isHostKnown && isOwnOrigin(raw, origin)
}

/**
 * Whether the host is an IP address, a name of this machine, or a name that an operator has
 * configured.
 */
function isKnownHost({ origin }: OriginRules, request: FastifyRequest): boolean {
  const name = hostNameOf(requestedHost(request.raw) ?? '')
  if (isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true
  return brandOf(request).hosts.includes(name) || URL.parse(origin())?.hostname === name
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '::1' || host === '[::1]'
}

function forbiddenHeader(header: 'host' | 'origin'): AppError {
  return new AppError(
    'origin_not_allowed',
    `Requests with this ${header} are not accepted; ask the operator of this service to allow the ${header}.`,
  )
}
