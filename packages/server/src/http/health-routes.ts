import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { jsonContentType } from './answer-error.ts'
import type { HttpContext } from './services.ts'

const readyMsMax = 2_000

/** For load balancers and supervisors: no key, no base path. */
export function addHealthRoutes(app: FastifyInstance, { store, isClosing, logger }: HttpContext): void {
  // No look at anything that could be slow: who restarts what does not answer here would make a slow database worse.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    handler(_request, reply) {
      reply.header('content-type', jsonContentType).send('{"status":"ok"}')
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    async handler(_request, reply) {
      const fault = isClosing() ? 'The service is about to stop.' : await findFault()
      if (fault !== null) throw new AppError('overloaded', fault)
      reply.header('content-type', jsonContentType)
      return '{"status":"ready"}'
    },
  })

  /** What keeps the database from answering; null: nothing does. */
  async function findFault(): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve('The database is slow.'), readyMsMax)))
    try {
      return await Promise.race([
        store.query
          .selectFrom('rules_version')
          .select('version')
          .execute()
          .then(() => null),
        late,
      ])
    } catch (error) {
      logger.warn({ err: error }, 'the database does not answer')
      return 'The database does not answer.'
    } finally {
      clearTimeout(timer)
    }
  }
}
