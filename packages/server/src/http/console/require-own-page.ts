import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { isOwnOrigin } from '../is-own-origin.ts'
import { safeMethods } from './safe-methods.ts'

/** Header field that only a script of the console's own origin can set without a preflight. */
const markField = 'x-console-request'
/** Content types that a form of another site can send. Only uploads use `multipart/form-data`. */
const formTypePattern = /^\s*(?:text\/plain|application\/x-www-form-urlencoded)\b/i

/**
 * Refuses requests with a session's cookie that another site may have caused. `SameSite=Strict`
 * keeps browsers from sending the cookie with them. This check does not depend on the cookie: it
 * reads Fetch Metadata (or the origin, in browsers without it), a header field and the content type.
 */
export function requireOwnPage(request: FastifyRequest): void {
  const { headers } = request.raw
  const site = headers['sec-fetch-site']
  const isSafe = safeMethods.has(request.method)
  // A link that the user opened, such as a download, has the value `none`.
  if (site !== undefined && site !== 'same-origin' && !(isSafe && site === 'none')) throw foreignPage()
  if (isSafe) return
  if (site === undefined && (headers.origin === undefined || !isOwnOrigin(request.raw, headers.origin))) throw foreignPage()
  if (headers[markField] !== '1' || formTypePattern.test(headers['content-type'] ?? '')) throw foreignPage()
}

function foreignPage(): AppError {
  return new AppError('invalid_request', 'This request did not come from the console of this service.')
}
