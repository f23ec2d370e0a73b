import { creditAlertBody, type CreditAlert } from '@framegate/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { creditsOf, microCreditsOf } from '../../credits/micro-credits.ts'
import { mapNullable } from '../../lib/map-nullable.ts'
import { authorize, principalOf } from '../authorize.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { readBody } from './admin/read-body.ts'

/** Adds the routes for the balance threshold of the event `credits.low`. */
export function addCreditAlertRoute(
  app: FastifyInstance,
  { config, keys, store }: Pick<HttpDependencies, 'config' | 'keys' | 'store'>,
): void {
  const { query } = store
  const url = `${config.basePath}/v2/credits/alert`
  const onRequest = authorize(keys, 'webhooks:write')

  async function send(reply: FastifyReply, accountNo: number): Promise<FastifyReply> {
    const row = await query.selectFrom('accounts').select('credits_low_at').where('no', '=', accountNo).executeTakeFirstOrThrow()
    const alert: CreditAlert = { object: 'credit_alert', below: mapNullable(row.credits_low_at, creditsOf) }
    return reply.header('content-type', jsonContentType).send(JSON.stringify(alert))
  }

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest,
    handler: (request, reply) => send(reply, principalOf(request).accountNo),
  })

  app.put(url, { onRequest }, async (request, reply) => {
    const { accountNo } = principalOf(request)
    const { below } = readBody(request, creditAlertBody)
    await query
      .updateTable('accounts')
      .set({ credits_low_at: mapNullable(below, microCreditsOf) })
      .where('no', '=', accountNo)
      .execute()
    return send(reply, accountNo)
  })
}
