import type { FastifyInstance } from 'fastify'
import { readCredits } from '../../credits/read-credits.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

export function addCreditsRoute(
  app: FastifyInstance,
  { config, keys, store, clock }: Pick<HttpDependencies, 'config' | 'keys' | 'store' | 'clock'>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/credits`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const credits = await readCredits(store.query, principalOf(request).accountNo, clock())
      return reply.header('content-type', jsonContentType).send(JSON.stringify(credits))
    },
  })
}
