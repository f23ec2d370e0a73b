import { modelListParameters } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../auth/principal.ts'
import { availabilityFor } from '../../catalogue/availability-for.ts'
import type { Model } from '../../catalogue/model.ts'
import type { EffectiveModel } from '../../catalogue/effective/effective-model.ts'
import { effectiveModelView } from '../../catalogue/model-view.ts'
import { isOffered, requireOffered } from '../../catalogue/offered.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { listText } from '../responses/list-text.ts'
import { invalidParameter, readQueryParameters } from '../parameters/query-parameters.ts'
import type { HttpContext } from '../services.ts'

/**
 * Adds the routes of the brand's catalogue. All keys of a brand see the same models, even models
 * that a key may not invoke.
 */
export function addModelRoutes(app: FastifyInstance, { config, keys, prices, effectiveModels, clock }: HttpContext): void {
  const url = `${config.basePath}/v2/model-center/models`
  const texts = new WeakMap<EffectiveModel, string>()
  const textOf = (model: Model, principal: Principal): string => {
    const effective = effectiveModels.of(model)
    const { displayed } = effective
    const availability = availabilityFor(displayed, principal.models)
    const { rule = null } = prices.priceOf(model, principal, clock()) ?? {}
    const isDefault = availability === displayed.availability && rule === model.price
    if (!isDefault) return JSON.stringify(effectiveModelView(effective, availability, rule))
    const text = texts.get(effective) ?? JSON.stringify(effectiveModelView(effective))
    texts.set(effective, text)
    return text
  }

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, null),
    async handler(request, reply) {
      const { limit, cursor, object } = readQueryParameters(request.query, modelListParameters)
      const principal = principalOf(request)
      const visibleModels = brandOf(request).catalogue.models.filter(
        (model) => (object === undefined || model.object === object) && isOffered(prices, model, principal, clock()),
      )
      const start = readPosition(visibleModels, cursor)
      const page = visibleModels.slice(start, start + limit)
      const last = page.at(-1)
      const nextCursor = last === undefined || last === visibleModels.at(-1) ? null : encodeCursor(last)
      await effectiveModels.prepare(page)
      return reply.header('content-type', jsonContentType).send(
        listText(
          page.map((model) => textOf(model, principal)),
          nextCursor,
        ),
      )
    },
  })

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id`,
    onRequest: authorize(keys, null),
    handler(request, reply) {
      const model = resolveModel(brandOf(request).catalogue, request.params.id)
      requireOffered(prices, model, principalOf(request), clock())
      reply.header('content-type', jsonContentType).send(textOf(model, principalOf(request)))
    },
  })
}

function encodeCursor(model: Model): string {
  return Buffer.from(model.id).toString('base64url')
}

function readPosition(models: readonly Model[], cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const index = models.findIndex((model) => encodeCursor(model) === cursor)
  if (index === -1) throw invalidParameter('cursor', 'cursor must be the next_cursor of an earlier page.')
  return index + 1
}
