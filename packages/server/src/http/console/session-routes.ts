import type { RequestBodySchema } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestOfApiKey } from '../../auth/api-key.ts'
import { keyView, selectKeys } from '../../admin/account-view.ts'
import type { ConsoleSession } from '../../auth/console-sessions.ts'
import { requirePermission, type Principal } from '../../auth/principal.ts'
import { AppError } from '../../lib/app-error.ts'
import { brandOf } from '../brand-of.ts'
import { clientAddressOf } from '../connections/client-address.ts'
import { isOperator } from '../is-operator.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { readBody } from '../routes/admin/read-body.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { sessionPath } from './console-paths.ts'
import type { ConsoleServices } from './console-services.ts'
import { requireOwnPage } from './require-own-page.ts'
import type { SessionCookie } from './session-cookie.ts'
import { sessionOf } from './session-of.ts'
import { signedOut } from './signed-out.ts'

const keyField = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  means: 'an API key',
  description: 'An API key.',
} as const

const signInBody: RequestBodySchema<{ key?: string; code?: string }> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    key: keyField,
    code: { ...keyField, means: 'the code of a sign-in link', description: 'The code of a sign-in link.' },
  },
}

const confirmBody: RequestBodySchema<{ key: string }> = {
  type: 'object',
  additionalProperties: false,
  required: ['key'],
  properties: { key: keyField },
}

interface AuthenticatedSession {
  session: ConsoleSession
  principal: Principal
}

/** Adds the routes that begin, show, confirm and end a session of the console. */
export function addSessionRoutes(
  app: FastifyInstance,
  { keys, store, brands }: Pick<HttpDependencies, 'keys' | 'store' | 'brands'>,
  services: ConsoleServices,
  cookie: SessionCookie,
): void {
  const { sessions, links, attempts } = services

  async function principalOfKey(request: FastifyRequest, enteredKey: string): Promise<Principal> {
    const result = await keys.authenticate(`Bearer ${enteredKey.trim()}`, brandOf(request).no)
    if (result instanceof AppError) throw result.code === 'missing_api_key' ? unknownKey() : result
    requirePermission(result, null)
    return result
  }

  async function findSession(request: FastifyRequest): Promise<AuthenticatedSession | AppError> {
    const session = await sessionOf(request, services, cookie)
    if (session === null) return signedOut()
    const principal = await keys.authenticateDigest(session.secretDigest, brandOf(request).no)
    return principal instanceof AppError ? principal : { session, principal }
  }

  /** Redeems a sign-in link. Returns the digest of its API key's secret, and the principal. */
  async function redeemLink(request: FastifyRequest, code: string): Promise<{ secretDigest: string; principal: Principal }> {
    const secretDigest = links.redeem(code)
    if (secretDigest === null) {
      throw new AppError('invalid_api_key', 'This sign-in link was used or has expired. Sign in with an API key.')
    }
    const principal = await keys.authenticateDigest(secretDigest, brandOf(request).no)
    if (principal instanceof AppError) throw principal
    return { secretDigest, principal }
  }

  /**
   * Returns the view of a session, by which the console shows or hides parts of its pages. The API
   * checks permissions on every request.
   */
  async function sessionView(principal: Principal, confirmedUntilMs: number): Promise<object> {
    const row = await selectKeys(store.database).where('key.no', '=', principal.keyNo).executeTakeFirstOrThrow()
    return {
      object: 'console_session',
      key: keyView(row),
      is_operator: isOperator(principal, brands),
      confirmed_until: confirmedUntilMs === -Infinity ? null : Math.floor(confirmedUntilMs / 1000),
    }
  }

  function limitAttempts(request: FastifyRequest): void {
    if (attempts.countAttempt(clientAddressOf(request))) return
    throw new AppError('rate_limited', 'There were too many attempts to sign in; wait a minute and try again.', {
      headers: { 'retry-after': '60' },
    })
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: sessionPath,
    async handler(request, reply) {
      requireOwnPage(request)
      // A missing session is not an error, because every visit begins with this request.
      const sessionOrError = await findSession(request)
      if (sessionOrError instanceof AppError) return reply.code(204).send()
      return send(reply, await sessionView(sessionOrError.principal, sessionOrError.session.confirmedUntilMs))
    },
  })

  app.post(sessionPath, async (request, reply) => {
    requireOwnPage(request)
    limitAttempts(request)
    const { key: enteredKey, code } = readBody(request, signInBody)
    const { secretDigest, principal } =
      enteredKey === undefined
        ? await redeemLink(request, code ?? '')
        : { principal: await principalOfKey(request, enteredKey), secretDigest: digestOfApiKey(enteredKey.trim()) }
    const { token, confirmedUntilMs } = await sessions.begin(secretDigest, enteredKey !== undefined)
    reply.code(201).header('set-cookie', cookie.write(request, token))
    return send(reply, await sessionView(principal, confirmedUntilMs))
  })

  app.post(`${sessionPath}/confirm`, async (request, reply) => {
    requireOwnPage(request)
    limitAttempts(request)
    const sessionOrError = await findSession(request)
    if (sessionOrError instanceof AppError) throw sessionOrError
    const { session, principal } = sessionOrError
    const { key: enteredKey } = readBody(request, confirmBody)
    const { keyNo } = await principalOfKey(request, enteredKey)
    if (keyNo !== principal.keyNo) throw new AppError('invalid_api_key', 'This is not the API key of this session.')
    return send(reply, await sessionView(principal, await sessions.confirm(session)))
  })

  app.delete(sessionPath, async (request, reply) => {
    requireOwnPage(request)
    const session = await sessionOf(request, services, cookie)
    if (session !== null) await sessions.end(session)
    return reply.code(204).header('set-cookie', cookie.write(request, null)).send()
  })
}

function unknownKey(): AppError {
  return new AppError('invalid_api_key', 'This API key is not valid.')
}

function send(reply: FastifyReply, view: object): FastifyReply {
  return reply.header('content-type', jsonContentType).send(JSON.stringify(view))
}
