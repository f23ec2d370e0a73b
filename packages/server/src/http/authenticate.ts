import type { FastifyRequest } from 'fastify'
import type { ApiKeys } from '../auth/api-keys.ts'
import type { Principal } from '../auth/principal.ts'
import type { AppError } from '../lib/app-error.ts'
import { brandOf } from './brand-of.ts'

/** Returns the principal of a request, from its API key or from its console session. */
export function authenticate(keys: ApiKeys, request: FastifyRequest): Principal | AppError | Promise<Principal | AppError> {
  const { no } = brandOf(request)
  const session = request.consoleSession
  return session === null
    ? keys.authenticate(request.raw.headers.authorization, no)
    : keys.authenticateDigest(session.secretDigest, no)
}
