import type { FastifyInstance } from 'fastify'
import { jsonContentType } from './answer-error.ts'

/** For load balancers: no key, no base path, no look at anything that could be slow. */
export function addHealthRoute(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    handler(_request, reply) {
      reply.header('content-type', jsonContentType).send('{"status":"ok"}')
    },
  })
}
