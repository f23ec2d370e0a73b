import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import type { Model } from '../../catalogue/model.ts'
import { isOffered, requireOffered } from '../../catalogue/offered.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/**
 * Adds the model routes of OpenAI's API. Only the v2 API shows the parameters of models.
 */
export function addModelsRoutes(
  app: FastifyInstance,
  { keys, prices, clock }: Pick<HttpDependencies, 'keys' | 'prices' | 'clock'>,
  url: string,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, null),
    async handler(request, reply) {
      const models = brandOf(request).catalogue.models.filter((model) => isOffered(prices, model, principalOf(request), clock()))
      const list = { object: 'list', data: models.map((model) => modelObject(request, model)) }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(list))
    },
  })

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, null),
    async handler(request, reply) {
      const model = resolveModel(brandOf(request).catalogue, request.params.id, '/v1/models')
      requireOffered(prices, model, principalOf(request), clock())
      return reply.header('content-type', jsonContentType).send(JSON.stringify(modelObject(request, model)))
    },
  })
}

function modelObject(request: FastifyRequest, { id }: Model): object {
  const { name, createdAtMs } = brandOf(request)
  return { id, object: 'model', created: Math.floor(createdAtMs / 1000), owned_by: name }
}
