import { isObject } from '../../lib/is-object.ts'
import { readModelDocument } from '../definitions/read-model-document.ts'
import type { ModelDocument } from '../definitions/model-document.ts'
import { sentenceOf } from '../../lib/field-violation.ts'
import { addressOf } from './foreign-text.ts'
import { ImportError } from './import-error.ts'
import type { ImportedModel, ImportedRoute } from './imported-model.ts'
import { truncate } from '../../lib/truncate.ts'

const routesMax = 8
const routeFields = new Set(['upstream_model', 'label', 'input', 'extra', 'parameters', 'workflow', 'slots'])

/**
 * Reads a shared definition: either the model itself, or `{driver, model, routes}`. The price in
 * the definition is ignored, because the operator sets prices.
 */
export function readSharedModel(document: Readonly<Record<string, unknown>>): ImportedModel {
  const isModelItself = 'object' in document || 'parameters' in document
  const model = isModelItself ? document : document['model']
  if (!isObject(model)) throw new ImportError('The definition must be a model, or have a model and its routes.')
  const { price: _price, ...unpricedModel } = model
  const { definition, violations } = readModelDocument(unpricedModel)
  const [violation] = violations
  if (definition === undefined || violation !== undefined) {
    throw new ImportError(
      violation === undefined ? 'The definition is invalid.' : `The definition is invalid: ${sentenceOf(violation)}`,
    )
  }
  const {
    id,
    object,
    title,
    description,
    parameters = {},
    max_input_tokens: inputMax,
    max_output_tokens: outputMax = 0,
    required = [],
    inputs,
    examples = [],
  } = unpricedModel as unknown as ModelDocument
  const source = isObject(model['source']) ? model['source'] : {}
  return {
    suggestedId: id,
    object,
    title: title ?? id,
    description: description ?? '',
    parameters,
    ...(inputMax !== undefined && { tokens: { inputMax, outputMax } }),
    required,
    ...(inputs && { inputs }),
    examples,
    routes: isModelItself ? [] : readRoutes(document['routes']),
    notes: isModelItself
      ? [{ field: 'routes', message: 'The definition names no routes; set one with framegate routes set.' }]
      : [],
    priceHint: null,
    cover: addressOf(source['cover']) ?? null,
  }
}

/**
 * Reads the routes of a definition. Checks only `upstream_model`, the names of the fields and the
 * type of `workflow`. The rest is checked when a route is set.
 */
function readRoutes(raw: unknown): ImportedRoute[] {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > routesMax) {
    throw new ImportError(`The definition must have a list of 1 to ${routesMax} routes.`)
  }
  return raw.map((route: unknown, index): ImportedRoute => {
    if (!isObject(route) || typeof route['upstream_model'] !== 'string')
      throw new ImportError(`routes[${index}] must have an upstream_model.`)
    const unknownField = Object.keys(route).find((name) => !routeFields.has(name))
    if (unknownField !== undefined)
      throw new ImportError(
        `routes[${index}] must not have ${truncate(unknownField, 64)}; the fields are ${[...routeFields].join(', ')}.`,
      )
    // In an operator's route, a text as `workflow` is the name of a file on the service's machine.
    // A shared definition must not name such a file.
    if (route['workflow'] !== undefined && !isObject(route['workflow']))
      throw new ImportError(`routes[${index}].workflow must be a workflow in ComfyUI's API format, as an object.`)
    const { upstream_model: upstreamModel, label, ...rest } = route
    return {
      ...rest,
      upstreamModel,
      label: typeof label === 'string' ? label : (upstreamModel.split('/').at(-1) ?? upstreamModel),
    }
  })
}
