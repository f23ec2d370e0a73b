import type { FastifyInstance } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/**
 * Adds health checks for load balancers and supervisors. They need no key and have no base path.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  { readiness, isClosing }: Pick<HttpDependencies, 'readiness' | 'isClosing'>,
): void {
  // This route does not query the database. Otherwise a supervisor would restart processes while
  // the database is slow, and add to its load.
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
      if (isClosing()) throw new AppError('overloaded', 'The service is shutting down.')
      const errors = await readiness.findErrors()
      if (errors.length > 0) throw new AppError('overloaded', errors.join(' '))
      reply.header('content-type', jsonContentType)
      return '{"status":"ready"}'
    },
  })
}
