import type { AdminModelDefinition } from '@framegate/contract'
import { effectivePrice, ownersForBrand } from '../../../admin/effective-price.ts'
import { modelDefinitionView } from '../../../admin/model-definition-view.ts'
import { modelView } from '../../../catalogue/model-view.ts'
import { validationError } from '../../../catalogue/validation-error.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { ModelEntry } from '../../../models/merge-models.ts'
import { readDefinition } from '../../../models/operator-models.ts'
import { allowJsonBody, requireJsonObject } from '../../bodies/json-body.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { mapModelErrors } from './map-model-errors.ts'
import { pageOf } from './page-of.ts'

/** Adds the routes for model definitions of operators. */
export function addModelDefinitionRoutes(
  add: AddAdminRoute,
  { models, catalogue, routing, prices, clock }: Pick<HttpDependencies, 'models' | 'catalogue' | 'routing' | 'prices' | 'clock'>,
): void {
  const viewOf = (entry: ModelEntry): AdminModelDefinition =>
    modelDefinitionView(entry, catalogue.find(entry.id), prices, clock())

  function readModel(id: string | undefined): ModelEntry {
    const entry = models.entries.find((candidate) => candidate.id === id)
    if (entry === undefined) throw modelNotFound(id)
    return entry
  }

  add('GET', '/models', async ({ request }) => pageOf(request.query, () => models.entries, viewOf))

  add('GET', '/models/:id', async ({ params }) => viewOf(readModel(params['id'])))

  add('POST', '/models', async ({ request, reply, audit }) => {
    const document = requireJsonObject(request)
    const entry = await mapModelErrors(models.create(document, audit('model.create', null, document)))
    reply.code(201)
    return viewOf(entry)
  })

  add('POST', '/models/preview', async ({ request }) => {
    const document = requireJsonObject(request)
    const definition = await mapModelErrors(readDefinition(document))
    const { rule } = effectivePrice(definition, ownersForBrand(null), prices, clock())
    if (rule === null) throw unpricedError()
    return modelView(definition, definition.availability, rule)
  })

  add('PATCH', '/models/:id', async ({ request, params, audit }) => {
    const { id } = readModel(params['id'])
    const change = requireJsonObject(request)
    if ('id' in change) throw fixedId()
    const changedEntry = await mapModelErrors(
      models.replace(id, (before) => {
        const document = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
        return { document, extraStatements: audit('model.change', before, document) }
      }),
    )
    if (changedEntry === undefined) throw modelNotFound(params['id'])
    return viewOf(changedEntry)
  })

  add('DELETE', '/models/:id', async ({ request, params, audit }) => {
    allowJsonBody(request)
    // If a file also defines a model with this ID, the definition stored by the API is deleted.
    const before = models.entries.find(({ id, source }) => id === params['id'] && source === 'api') ?? readModel(params['id'])
    const view = viewOf(before)
    const extraStatements = audit('model.delete', before.document, null)
    const isRemoved = await mapModelErrors(models.remove(before.id, () => routing.routeNamesOf(before.id), extraStatements))
    if (!isRemoved) throw modelNotFound(params['id'])
    return view
  })
}

function modelNotFound(id: string | undefined): AppError {
  return new AppError('resource_not_found', `No operator has defined a model ${JSON.stringify(id ?? '')}.`)
}

function unpricedError(): AppError {
  const message = 'price is required, because clients see only models with a price; the model has none yet.'
  return validationError([{ pointer: '/price', code: 'invalid_parameter', message }])
}

function fixedId(): AppError {
  const message = 'id cannot be changed; create another model and delete this one.'
  return validationError([{ pointer: '/id', code: 'invalid_parameter', message }])
}
