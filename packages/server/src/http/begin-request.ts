import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brands } from '../brands/brands.ts'
import { AppError } from '../lib/app-error.ts'
import { shorten } from '../lib/json-pointer.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import type { AdmitOrigin } from './admit-origin.ts'
import { acceptsHtml } from './responses/accepts.ts'
import { sendError } from './responses/send-error.ts'
import { addToResponse } from './responses/response-fields.ts'
import { requestedHost } from './brand-of.ts'
import type { PipelineLimit } from './connections/pipelined.ts'
import { pathOf } from './path-of.ts'

interface RequestBeginning {
  allowedMethods: AllowedMethods
  admitOrigin: AdmitOrigin
  brands: Brands
  /** Path of the docs page. Null: the process serves no docs page. */
  docsPath: string | null
  limitPipeline: PipelineLimit
  /** True while the service drains during a shutdown. */
  isClosing: () => boolean
}

/**
 * Adds the hook that runs before every route: it selects the brand (the storefront of the requested
 * host), sets the CORS headers, limits pipelining, checks the Host field, and responds to requests
 * that match no route. A not-found handler would run too late, because Fastify would read the body
 * first, and might reject the body instead of the path.
 */
export function addRequestBeginning(
  app: FastifyInstance,
  { allowedMethods, admitOrigin, brands, docsPath, limitPipeline, isClosing }: RequestBeginning,
): void {
  app.addHook('onRequest', (request, reply, next) => {
    request.brand = brands.ofHost(requestedHost(request.raw))
    admitOrigin(request)
    limitPipeline(request.raw.socket, reply.raw)
    // Asks the client not to reuse the connection. Otherwise the service might close it while the
    // client is sending another request.
    if (isClosing()) addToResponse(request, { connection: 'close' })
    const error = findHostError(request.raw)
    if (error !== null) {
      sendError(reply, error)
    } else if (request.is404 || hasEmptyParameter(request)) {
      sendUnrouted(request, reply, { allowedMethods, docsPath })
    } else {
      next()
    }
  })
}

/**
 * Whether a browser requests `/` or the base path, with or without a trailing slash. Such requests
 * are redirected to the docs page. Programs do not use these paths.
 */
function isBrowserAtRoot({ method, raw }: FastifyRequest, path: string, docsPath: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const basePath = basePathOf(docsPath)
  return (path === '/' || path === basePath || path === `${basePath}/`) && acceptsHtml(raw.headers.accept)
}

/**
 * Returns the URL of the docs page relative to `path`, because a proxy may serve the page under
 * another path.
 */
function docsLocation(path: string, docsPath: string): string {
  const depth = path.split('/').length - 2
  return (depth === 0 ? './' : '../'.repeat(depth)) + docsPath.slice(1)
}

/** Whether a path parameter is empty: the router matches `/tasks/` with an empty id. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const name in params as Record<string, string>) {
    if ((params as Record<string, string>)[name] === '') return true
  }
  return false
}

/**
 * Checks the Host field (RFC 9112, section 3.2). Node's own check is disabled, because its response
 * would not have the format of this service's errors.
 */
function findHostError({ rawHeaders, headers, httpVersion }: IncomingMessage): AppError | null {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? hostError('An HTTP/1.1 request must have a Host header field.') : null
  }
  let hostFieldCount = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hostFieldCount++
  }
  return hostFieldCount > 1 ? hostError('A request must have exactly one Host header field; this one has several.') : null
}

function hostError(message: string): AppError {
  return new AppError('invalid_request', message, { headers: { connection: 'close' } })
}

function sendUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { allowedMethods, docsPath }: Pick<RequestBeginning, 'allowedMethods' | 'docsPath'>,
): void {
  const path = pathOf(request.raw.url ?? '')
  const allow = allowedMethods.methodsAt(path)
  if (allow === undefined && docsPath !== null && isBrowserAtRoot(request, path, docsPath)) {
    addToResponse(request, { vary: 'Accept' })
    reply.redirect(docsLocation(path, docsPath), 302)
  } else if (allow === undefined) {
    const hasTrailingSlash = path.endsWith('/') && allowedMethods.methodsAt(path.slice(0, -1)) !== undefined
    const intendedPath = docsPath === null ? undefined : findIntendedPath(path, basePathOf(docsPath), allowedMethods)
    const suggestion = intendedPath === undefined ? '' : ` Did you mean ${shorten(intendedPath)}?`
    const hint = hasTrailingSlash ? ' Remove the slash at its end.' : suggestion
    sendError(reply, new AppError('route_not_found', `There is nothing at this path.${hint}`))
  } else if (request.method === 'OPTIONS') {
    reply.code(204).header('allow', allow).send()
  } else {
    sendError(reply, methodNotAllowed(request.method, allow))
  }
}

function basePathOf(docsPath: string): string {
  return docsPath.slice(0, docsPath.lastIndexOf('/'))
}

/**
 * Returns the existing path that a client with a wrong base URL meant. `rest` is the path without
 * the base path. The candidates are `rest` after the base path, after the base path and `/v1`,
 * alone (such as `/healthz`), and after the base path but without its first segment (such as a
 * wrong `/v1`).
 */
function findIntendedPath(path: string, basePath: string, allowedMethods: AllowedMethods): string | undefined {
  const rest = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
  const secondSlash = rest.indexOf('/', 1)
  const shortened = secondSlash === -1 ? [] : [`${basePath}${rest.slice(secondSlash)}`]
  const candidates = [`${basePath}${rest}`, `${basePath}/v1${rest}`, rest, ...shortened]
  return candidates.find((known) => allowedMethods.methodsAt(known) !== undefined)
}

export function methodNotAllowed(method: string, allow: string): AppError {
  return new AppError('method_not_allowed', `${method} is not allowed here; this path accepts ${allow}.`, { headers: { allow } })
}
