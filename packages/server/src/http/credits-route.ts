import type { Credits } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { microCreditsPerCredit } from '../catalogue/price-rules.ts'
import { readBalance } from '../credits/read-balance.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import type { HttpContext } from './services.ts'

export function addCreditsRoute(app: FastifyInstance, { config, keys, store }: HttpContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/credits`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { balanceMicroCredits, heldMicroCredits } = await readBalance(store.query, principalOf(request).accountNo)
      const credits: Credits = {
        object: 'credits',
        balance: balanceMicroCredits / microCreditsPerCredit,
        held: heldMicroCredits / microCreditsPerCredit,
      }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(credits))
    },
  })
}
