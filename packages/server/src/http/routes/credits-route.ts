import type { Credits } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { creditsOf } from '../../credits/micro-credits.ts'
import { readBalance, readExpiringParts } from '../../credits/read-balance.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import type { HttpContext } from '../services.ts'

const expiringGrantsMax = 100

export function addCreditsRoute(app: FastifyInstance, { config, keys, store, clock }: HttpContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/credits`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { accountNo } = principalOf(request)
      const nowMs = clock()
      const { balanceMicroCredits, heldMicroCredits } = await readBalance(store.query, accountNo, nowMs)
      const expiring = await readExpiringParts(store.query, { accountNo, nowMs, limit: expiringGrantsMax })
      const credits: Credits = {
        object: 'credits',
        balance: creditsOf(balanceMicroCredits),
        held: creditsOf(heldMicroCredits),
        expiring: expiring.map(({ microCredits, expiresAtMs }) => ({
          amount: creditsOf(microCredits),
          expires_at: Math.floor(expiresAtMs / 1000),
        })),
      }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(credits))
    },
  })
}
