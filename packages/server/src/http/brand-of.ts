import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Brand } from '../brands/brand.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the route runs. Read it with `brandOf`. */
    brand: Brand | null
  }
}

/**
 * Returns the brand (storefront) of the requested host. After `authorize`, the API key belongs to
 * the same brand.
 */
export function brandOf(request: FastifyRequest): Brand {
  if (request.brand === null) throw new Error('the brand of a request is read before it was selected')
  return request.brand
}

/**
 * Returns the requested host. An absolute URL in the request line overrides the Host header (RFC
 * 9112, section 3.2.2).
 */
export function requestedHost({ url = '', headers }: IncomingMessage): string | undefined {
  return url.startsWith('/') ? headers.host : (URL.parse(url)?.host ?? headers.host)
}
