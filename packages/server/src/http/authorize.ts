import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKeys } from '../auth/api-keys.ts'
import { requirePermission, type KeyActivity, type Principal } from '../auth/principal.ts'
import type { Scope } from '../auth/scopes.ts'
import { acquireRequest } from '../auth/acquire-request.ts'
import { AppError } from '../lib/app-error.ts'
import { authenticate } from './authenticate.ts'
import { signedOut } from './console/signed-out.ts'
import { acceptsJson } from './responses/accepts.ts'
import { addToResponse } from './responses/response-fields.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authorize` and read by `principalOf`. */
    principal: Principal | null
    /** Checks the permission again, like `reauthorize`. Set by `authorize`. */
    reauthorize: Reauthorize | null
  }
}

type Reauthorize = (request: FastifyRequest) => Promise<void> | undefined

/** Throws if a request's Accept header allows none of the route's content types. */
export type RequireAccepted = (request: FastifyRequest) => void

/**
 * Returns an onRequest hook that checks whether the caller may use a route, and enforces the key's
 * rate limit. With the scope `null`, any valid key may use the route. The hook runs before the body
 * is read.
 */
export function authorize(keys: ApiKeys, scope: Scope | null, requireAccepted: RequireAccepted = requireJsonAccepted) {
  const reauthorizeRequest: Reauthorize = (request) => reauthorize(keys, scope, request)
  return (request: FastifyRequest, _reply: FastifyReply, next: (error?: Error) => void): void => {
    request.reauthorize = reauthorizeRequest
    const result = authenticate(keys, request)
    if (result instanceof Promise) {
      void result
        .then((principal) => admit(principal, scope, request, requireAccepted))
        .then(
          () => setImmediate(next),
          (error: Error) => setImmediate(next, error),
        )
      return
    }
    admit(result, scope, request, requireAccepted)
    next()
  }
}

/**
 * Checks again whether the key and, if there is one, the console session permit the request. Called
 * during a long poll or a stream, and after a slow body. Throws or rejects with an `AppError` if
 * they do not. Returns a promise if the database must be queried.
 */
export function reauthorize(keys: ApiKeys, scope: Scope | null, request: FastifyRequest): Promise<void> | undefined {
  const session = request.consoleSession
  if (session === null) return reauthorizeKey(keys, scope, request)
  return session.isOpen().then((isOpen) => {
    if (!isOpen) throw signedOut()
    return reauthorizeKey(keys, scope, request)
  })
}

function reauthorizeKey(keys: ApiKeys, scope: Scope | null, request: FastifyRequest): Promise<void> | undefined {
  const result = authenticate(keys, request)
  if (result instanceof Promise) return result.then((principal) => requireAdmitted(principal, scope))
  requireAdmitted(result, scope)
  return undefined
}

function requireAdmitted(principal: Principal | AppError, scope: Scope | null): asserts principal is Principal {
  if (principal instanceof AppError) throw principal
  requirePermission(principal, scope)
}

function admit(
  principal: Principal | AppError,
  scope: Scope | null,
  request: FastifyRequest,
  requireAccepted: RequireAccepted,
): void {
  requireAdmitted(principal, scope)
  requireAccepted(request)
  request.principal = principal
  if (principal.requestsPerSecondMax !== null) limitRequests(principal.activity, principal.requestsPerSecondMax, request)
}

/**
 * Enforces a key's rate limit, and adds the headers of draft-ietf-httpapi-ratelimit-headers-11 to
 * the response.
 */
function limitRequests(activity: KeyActivity, perSecondMax: number, request: FastifyRequest): void {
  const { isAllowed, remaining, resetSeconds } = acquireRequest(activity.bucket, activity.usedAtMs, perSecondMax)
  addToResponse(request, {
    'ratelimit-policy': `"requests";q=${perSecondMax};w=1`,
    ratelimit: `"requests";r=${remaining};t=${resetSeconds}`,
  })
  if (isAllowed) return
  throw new AppError('rate_limited', `This API key may send at most ${perSecondMax} requests per second; send fewer.`, {
    headers: { 'retry-after': '1' },
  })
}

function requireJsonAccepted({ raw }: FastifyRequest): void {
  if (acceptsJson(raw.headers.accept)) return
  throw new AppError('not_acceptable', 'Responses here are JSON; the Accept header must allow application/json.')
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('a route without authorize reads the principal')
  return request.principal
}
