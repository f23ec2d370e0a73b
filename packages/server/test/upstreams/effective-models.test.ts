import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../../src/catalogue/default-families.ts'
import { effectiveModel, type RouteWithRefusals, type EffectiveModel } from '../../src/catalogue/effective/effective-model.ts'
import { findRemedies, withOtherDefaults } from '../../src/catalogue/effective/find-remedies.ts'
import { findTotalRefusal } from '../../src/catalogue/effective/find-served-requests.ts'
import type { Model, ParameterSchema, ParsedParameters } from '../../src/catalogue/model.ts'
import { parseParameters } from '../../src/catalogue/parse-parameters.ts'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'
import { upstreamRequest } from '../../src/tasks/upstream-request.ts'
import { documentedModels } from './documented-models.ts'

/**
 * Image and video models of the catalogue on random sets of the documented upstream models of all
 * drivers.
 */

const models = createCatalogue(defaultFamilies).models.filter(({ object }) => object !== 'text')
const image = 'https://example.com/image.png'
const anyHost = (): boolean => true
const timeoutMs = isLongRun ? 600_000 : 120_000

function routesOf(model: Model): RouteWithRefusals[] {
  return documentedModels
    .filter(({ object }) => object === model.object)
    .flatMap(({ driver, name }): RouteWithRefusals[] => {
      const usedDriver = upstreamDrivers.find((candidate) => candidate.name === driver)
      const slots = { prompt: '6.text', seed: '3.seed', width: '4.width', height: '4.height', seconds: '5.seconds' }
      const target = { baseUrl: 'http://127.0.0.1:9', model: name, parameters: {}, extra: {}, workflow: null, slots }
      const route: RouteWithRefusals = {
        name: `${driver} ${name}`,
        refuse: (parameters) => usedDriver?.refuse(upstreamRequest(model, parameters), target) ?? null,
      }
      return findTotalRefusal(model.parameters, route.refuse) === null ? [route] : []
    })
}

const routesOfModel = new Map<Model, RouteWithRefusals[]>()
const anyEffectiveModel = fc.constantFrom(...models).chain((model) => {
  const routes = routesOfModel.get(model) ?? routesOf(model)
  routesOfModel.set(model, routes)
  return fc.subarray(routes, { minLength: 1, maxLength: 3 }).map((chosenRoutes) => effectiveModel(model, chosenRoutes))
})

/** Every value of an enumeration or of a narrow range, and sample values of other parameters. */
function valuesOf({
  const: constant,
  enum: values,
  type,
  minimum = 0,
  maximum = 0,
  minItems = 1,
  maxItems = 0,
}: ParameterSchema): unknown[] {
  if (constant !== undefined) return [constant]
  if (values !== undefined) return [...values]
  if (type === 'boolean') return [true, false]
  if (type === 'array') return rangeOf(Math.max(1, minItems), maxItems).map((length) => Array.from({ length }, () => image))
  if (type === 'integer') return maximum - minimum < 100 ? rangeOf(minimum, maximum) : [minimum, minimum + 1, maximum]
  return [image]
}

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function parametersOf({ parameters }: Model): [string, ParameterSchema][] {
  const { model: _model, ...properties } = parameters.properties
  return Object.entries(properties)
}

/**
 * Returns requests with only the required parameters: one for each alternative set of required
 * parameters.
 */
function smallestRequests({ displayed }: EffectiveModel): Record<string, unknown>[] {
  const properties: Readonly<Record<string, ParameterSchema>> = displayed.parameters.properties
  const { required, anyOf = [{ required: [] }] } = displayed.parameters
  return anyOf.map((set) =>
    Object.fromEntries(
      [...required, ...set.required]
        .filter((name) => name !== 'model')
        .map((name) => [name, properties[name] && valuesOf(properties[name])[0]]),
    ),
  )
}

/**
 * Parses the body like a submit. Returns null if no route serves the request, even with other
 * defaults.
 */
function acceptedParameters(model: EffectiveModel, body: Readonly<Record<string, unknown>>): ParsedParameters | null {
  const parameters = parseParameters(model.displayed, body, anyHost)
  if (model.routes.some(({ refuse }) => refuse(parameters) === null)) return parameters
  return withOtherDefaults(model, parameters, (name) => name in body)
}

it(
  'a model with up to three random routes serves a request with only the required parameters',
  () => {
    fc.assert(
      fc.property(anyEffectiveModel, (model) => {
        for (const body of smallestRequests(model)) expect([body, acceptedParameters(model, body)]).not.toEqual([body, null])
      }),
      { numRuns: isLongRun ? 1_000 : 60 },
    )
  },
  timeoutMs,
)

it(
  'a value that a model shows is accepted with default parameters, or the error names a parameter to change',
  () => {
    fc.assert(
      fc.property(anyEffectiveModel, fc.nat(), (model, choice) => {
        const [smallest = {}] = smallestRequests(model)
        const parameters = parametersOf(model.displayed)
        const [name = '', schema] = parameters[choice % parameters.length] ?? []
        if (schema === undefined) return
        for (const value of valuesOf(schema)) {
          const body = {
            ...smallest,
            ...(name === 'last_frame' && 'first_frame' in model.displayed.parameters.properties && { first_frame: image }),
            [name]: value,
          }
          if (acceptedParameters(model, body) !== null) continue
          const remedies = findRemedies(model, parseParameters(model.displayed, body, anyHost), (name) => name in body)
          expect([body, remedies]).not.toEqual([body, []])
          for (const { parameter, message } of remedies) {
            expect(message).toContain(parameter)
            if (!message.includes('with the other parameters')) continue
            // With another value of the parameter that the error names, or without it, a route must
            // serve the request.
            const { [parameter]: _refused, ...otherParameters } = body as Record<string, unknown>
            const definition = parametersOf(model.definition).find(([name]) => name === parameter)?.[1]
            const mayBeOmitted = !model.definition.parameters.required.includes(parameter)
            const helps =
              (mayBeOmitted && acceptedParameters(model, otherParameters) !== null) ||
              (definition ? valuesOf(definition) : []).some(
                (alternative) => acceptedParameters(model, { ...otherParameters, [parameter]: alternative }) !== null,
              )
            expect([body, message, helps]).toEqual([body, message, true])
          }
        }
      }),
      { numRuns: isLongRun ? 1_000 : 60 },
    )
  },
  timeoutMs,
)

it(
  'the model shows every value of a request that one of its routes serves',
  () => {
    let checkedCount = 0
    fc.assert(
      fc.property(anyEffectiveModel, fc.array(fc.nat(), { minLength: 400, maxLength: 400 }), (model, choices) => {
        const pickItem = <Item>(items: readonly Item[]): Item | undefined => items[(choices.pop() ?? 0) % items.length]
        const { dependentRequired = {} } = model.definition.parameters
        const smallest = smallestRequests(model)
        for (let round = 0; round < 25; round++) {
          // A request that a route serves, with up to four changed parameters.
          const body: Record<string, unknown> = { ...acceptedParameters(model, pickItem(smallest) ?? {}) }
          for (let changes = pickItem([1, 2, 3, 4]) ?? 0; changes > 0; changes--) {
            const [name, schema] = pickItem(parametersOf(model.definition)) ?? ['prompt', { type: 'string', description: '' }]
            body[name] = pickItem(valuesOf(schema))
          }
          const lacksDependency = Object.entries(dependentRequired).some(
            ([name, requiredNames]) => name in body && requiredNames.some((requiredName) => !(requiredName in body)),
          )
          if (lacksDependency || !model.routes.some(({ refuse }) => refuse(body) === null)) continue
          checkedCount += 1
          expect([body, model.displayed.findErrors({ ...body })]).toEqual([body, []])
          expect(parseParameters(model.displayed, { ...body }, anyHost)).toEqual(body)
          const isComplete = model.needsOneOf.length === 0 || model.needsOneOf.some((set) => set.every((name) => name in body))
          expect([body, isComplete]).toEqual([body, true])
        }
      }),
      { numRuns: isLongRun ? 2_000 : 100 },
    )
    expect(checkedCount).toBeGreaterThan(150)
  },
  timeoutMs,
)
