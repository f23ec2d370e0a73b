import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { isOwnOrigin } from '../is-own-origin.ts'
import { safeMethods } from './safe-methods.ts'

/**
 * Custom header that the console sets. A script of another origin could set it only with the
 * permission of a CORS preflight.
 */
const markField = 'x-console-request'
/**
 * Content types that a form on another site can send, except `multipart/form-data`, which uploads
 * use.
 */
const formTypePattern = /^\s*(?:text\/plain|application\/x-www-form-urlencoded)\b/i

/**
 * Protects against cross-site request forgery, in addition to the cookie's `SameSite=Strict`.
 * Throws an `AppError` if another site may have caused the request. It checks Fetch Metadata and,
 * unless the method is safe, a custom header and the content type. For browsers without Fetch
 * Metadata, it checks the origin instead.
 */
export function requireOwnPage(request: FastifyRequest): void {
  const { headers } = request.raw
  const site = headers['sec-fetch-site']
  const isSafe = safeMethods.has(request.method)
  // A browser sends `none` if the user entered the URL or opened a bookmark.
  if (site !== undefined && site !== 'same-origin' && !(isSafe && site === 'none')) throw foreignPage()
  if (isSafe) return
  if (site === undefined && (headers.origin === undefined || !isOwnOrigin(request.raw, headers.origin))) throw foreignPage()
  if (headers[markField] !== '1' || formTypePattern.test(headers['content-type'] ?? '')) throw foreignPage()
}

function foreignPage(): AppError {
  return new AppError('invalid_request', 'This request did not come from the console of this service.')
}
