import type { CreditsCheck } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { jsonContentType } from './answer-error.ts'
import { authorize } from './authorize.ts'
import type { HttpContext } from './services.ts'

const foundShownMax = 100

export function addVerifyCreditsRoute(app: FastifyInstance, { config, keys, store }: HttpContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/admin/v1/credits/verify`,
    onRequest: authorize(keys, 'admin'),
    async handler(_request, reply) {
      const { accounts, entries, holds, differences } = await store.verifyCredits()
      const check: CreditsCheck = {
        object: 'credits_check',
        accounts,
        entries,
        holds,
        differences: differences.length,
        found: differences.slice(0, foundShownMax),
      }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(check))
    },
  })
}
