import type { FastifyRequest } from 'fastify'
import type { ConsoleSession } from '../../auth/console-sessions.ts'
import type { ConsoleServices } from './console-services.ts'
import type { SessionCookie } from './session-cookie.ts'

/** Returns the session of a request's cookie. Null: the request has no valid session. */
export async function sessionOf(
  request: FastifyRequest,
  { sessions }: Pick<ConsoleServices, 'sessions'>,
  cookie: SessionCookie,
): Promise<ConsoleSession | null> {
  const token = cookie.read(request)
  return token === null ? null : await sessions.find(token)
}
