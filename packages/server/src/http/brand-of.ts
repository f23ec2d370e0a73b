import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Brand } from '../brands/brand.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before every route; routes take it by `brandOf`. */
    brand: Brand | null
  }
}

/** The brand whose host was asked. After `authorize` it is the key's brand too. */
export function brandOf(request: FastifyRequest): Brand {
  if (request.brand === null) throw new Error('a request was not given its brand')
  return request.brand
}

/** An address with a host in the request line replaces the Host header (RFC 9112, section 3.2.2). */
export function hostAsked({ url = '', headers }: IncomingMessage): string | undefined {
  return url.startsWith('/') ? headers.host : (URL.parse(url)?.host ?? headers.host)
}
