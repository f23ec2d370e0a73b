import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ConsoleSession } from '../../auth/console-sessions.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { consoleApiPath } from './console-paths.ts'
import type { ConsoleServices } from './console-services.ts'
import { requireOwnPage } from './require-own-page.ts'
import { isSensitive } from './sensitive-requests.ts'
import type { SessionCookie } from './session-cookie.ts'
import { sessionOf } from './session-of.ts'
import { signedOut } from './signed-out.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The session that authenticates a console request instead of an API key. Null for requests to
     * the API's own paths.
     */
    consoleSession: ConsoleSession | null
  }
}

const apiPathPrefix = `${consoleApiPath}/`

/**
 * Allows the console to call the API with its session: a request for `/console/api/PATH` is handled
 * like an API request for `PATH`. The API's own paths ignore the session cookie.
 */
export class ConsoleRequests {
  readonly #basePath: string
  readonly #requests = new WeakSet<IncomingMessage>()

  constructor(basePath: string) {
    this.#basePath = basePath
  }

  /** Returns the URL for the router. */
  rewriteUrl(request: IncomingMessage): string {
    const { url = '' } = request
    if (!url.startsWith(apiPathPrefix)) return url
    this.#requests.add(request)
    return this.#basePath + url.slice(consoleApiPath.length)
  }

  /**
   * Adds the hook that checks the session and stores it in the request, where `authorize` reads it.
   */
  addTo(app: FastifyInstance, services: Pick<ConsoleServices, 'sessions'>, cookie: SessionCookie, clock: Clock): void {
    const admit = async (request: FastifyRequest): Promise<void> => {
      requireOwnPage(request)
      const session = await sessionOf(request, services, cookie)
      if (session === null) throw signedOut()
      if (isSensitive(request, this.#basePath) && session.confirmedUntilMs <= clock()) {
        throw new AppError('confirmation_required', 'Enter the API key of this session again to do this.')
      }
      request.consoleSession = session
    }

    app.addHook('onRequest', (request, _reply, next) => {
      if (!this.#requests.has(request.raw)) return next()
      admit(request).then(
        () => setImmediate(next),
        (error: Error) => setImmediate(next, error),
      )
    })
  }
}
