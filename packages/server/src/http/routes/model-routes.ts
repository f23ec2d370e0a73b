import { modelListParameters } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { listText } from '../responses/list-text.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/**
 * Adds the routes of the brand's catalogue. A key sees the models of its brand that have a price for
 * its account, including models that the key may not invoke.
 */
export function addModelRoutes(
  app: FastifyInstance,
  { config, keys, modelViews }: Pick<HttpDependencies, 'config' | 'keys' | 'modelViews'>,
): void {
  const url = `${config.basePath}/v2/model-center/models`

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, null),
    async handler(request, reply) {
      const { limit, cursor, object } = readQueryParameters(request.query, modelListParameters)
      const { texts, nextCursor } = await modelViews.page(brandOf(request).catalogue, principalOf(request), {
        limit,
        cursor,
        isWanted: (model) => object === undefined || model.object === object,
      })
      return reply.header('content-type', jsonContentType).send(listText(texts, nextCursor))
    },
  })

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, null),
    handler(request, reply) {
      const text = modelViews.find(brandOf(request).catalogue, principalOf(request), request.params.id)
      reply.header('content-type', jsonContentType).send(text)
    },
  })
}
