import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { addToAnswer } from './answer-fields.ts'

/**
 * Which pages may read an answer in a browser: the CORS protocol of the Fetch standard.
 *
 * Who calls is proven by a key in `Authorization` alone. There are no cookies, and no origin is allowed credentials, so an
 * admitted page can do nothing that it could not do by a server of its own with the same key. Still nobody is admitted unless
 * asked for: a service on a private address should not answer whatever page its operator happens to visit. Result links are
 * open to every page, because the link itself is the permission.
 */
export type AdmitOrigin = (request: FastifyRequest) => void

const readable =
  'Accept-Ranges, Content-Range, ETag, Idempotency-Replayed, Location, Preference-Applied, ' +
  'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'
const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Prefer, Range',
  // An hour: browsers ask again before they would notice a changed setting for long.
  'access-control-max-age': '3600',
}

export function createAdmitOrigin({ basePath, corsOrigins }: Pick<Config, 'basePath' | 'corsOrigins'>): AdmitOrigin {
  const mediaPath = `${basePath}/media/`
  const admitted = new Set(corsOrigins === '*' ? [] : corsOrigins)

  return (request) => {
    const isOpen = corsOrigins === '*' || request.raw.url?.startsWith(mediaPath) === true
    if (!isOpen && admitted.size === 0) return
    const { origin = '' } = request.raw.headers
    // Said to those who are not admitted too, so that no cache gives the answer for one origin to another.
    if (!isOpen) addToAnswer(request, { vary: 'Origin' })
    if (!isOpen && !admitted.has(origin)) return
    addToAnswer(request, {
      'access-control-allow-origin': isOpen ? '*' : origin,
      ...(request.method === 'OPTIONS' ? preflightHeaders : { 'access-control-expose-headers': readable }),
    })
  }
}
