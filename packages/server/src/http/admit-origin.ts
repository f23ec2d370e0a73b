import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { addToResponse } from './responses/response-fields.ts'

/**
 * Sets the CORS headers that determine which web pages may read a response (Fetch standard).
 *
 * Outside of the console, only the key in `Authorization` identifies a caller. The API's own paths
 * ignore cookies, and no response permits another origin to send cookies to the console's paths. An
 * admitted page can therefore do no more than a server with the same key. By default, no origin is
 * admitted, because any page that an operator visits could otherwise call a service on a private
 * address. All pages may read results, because a result link grants access.
 */
export type AdmitOrigin = (request: FastifyRequest) => void

const exposedHeaders =
  'Accept-Ranges, Content-Location, Content-Range, ETag, Idempotency-Replayed, Location, openai-poll-after-ms, ' +
  'Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, x-should-retry, Tus-Extension, Tus-Max-Size, ' +
  'Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id'
/**
 * Headers of the service's clients, and of the official clients of OpenAI and MCP. A browser sends
 * no cross-origin request that has any other header, except those that the Fetch standard always
 * allows, such as `Accept`.
 */
const acceptedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Mcp-Method, Mcp-Name, ' +
  'Mcp-Protocol-Version, OpenAI-Organization, OpenAI-Project, Prefer, Range, Tus-Resumable, Upload-Length, Upload-Metadata, ' +
  'Upload-Offset, X-Stainless-Arch, X-Stainless-Lang, X-Stainless-OS, X-Stainless-Package-Version, X-Stainless-Retry-Count, ' +
  'X-Stainless-Runtime, X-Stainless-Runtime-Version, X-Stainless-Timeout'
const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': acceptedHeaders,
  // Only one hour, so that a changed setting soon takes effect in browsers.
  'access-control-max-age': '3600',
}

export function createAdmitOrigin({ basePath, corsOrigins }: Pick<Config, 'basePath' | 'corsOrigins'>): AdmitOrigin {
  const mediaPath = `${basePath}/media/`
  const admittedOrigins = new Set(corsOrigins === '*' ? [] : corsOrigins)

  return (request) => {
    const allowsAnyOrigin = corsOrigins === '*' || request.raw.url?.startsWith(mediaPath) === true
    if (!allowsAnyOrigin && admittedOrigins.size === 0) return
    const { origin = '' } = request.raw.headers
    // `Vary` is also sent to origins that are not admitted. Otherwise a cache might serve the
    // response for one origin to another origin.
    if (!allowsAnyOrigin) addToResponse(request, { vary: 'Origin' })
    if (!allowsAnyOrigin && !admittedOrigins.has(origin)) return
    addToResponse(request, {
      'access-control-allow-origin': allowsAnyOrigin ? '*' : origin,
      ...(request.method === 'OPTIONS' ? preflightHeaders : { 'access-control-expose-headers': exposedHeaders }),
    })
  }
}
