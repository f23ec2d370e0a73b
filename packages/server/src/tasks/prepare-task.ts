import type { Simulation } from '@framegate/contract'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Availability, Model, ParsedParameters, V1Family } from '../catalogue/model.ts'
import { parseParameters } from '../catalogue/parse-parameters.ts'
import { quotePrice } from '../catalogue/price.ts'
import type { IsAllowedHost } from '../catalogue/reference-faults.ts'
import { requireInFamily, resolveModel } from '../catalogue/resolve-model.ts'
import { AppError } from '../lib/app-error.ts'
import { readSimulation } from './read-simulation.ts'

export interface TaskRules {
  catalogue: Catalogue
  isAllowedHost: IsAllowedHost
  /** False in production mode. */
  allowsSimulation: boolean
}

/** What a client asks for: the body of a submit or of a quote, and the v1 collection that it was sent to, if any. */
export interface TaskRequest {
  body: Readonly<Record<string, unknown>>
  v1Family: V1Family | null
}

export interface PreparedTask {
  model: Model
  parameters: ParsedParameters
  priceMicroCredits: number
  /** What the client wants to happen to the task, where it is a test. */
  simulate: Simulation | null
}

/** The checks of a submit, in their order: model, family, availability, parameters, price. */
export function prepareTask(rules: TaskRules, request: TaskRequest): PreparedTask {
  const model = chooseModel(rules, request)
  requireAvailable(model.id, model.availability)
  return priceTask(rules, model, request)
}

export function chooseModel(rules: TaskRules, { body, v1Family }: TaskRequest): Model {
  const model = resolveModel(rules.catalogue, body['model'])
  if (v1Family !== null) requireInFamily(model, v1Family)
  return model
}

export function priceTask(rules: TaskRules, model: Model, { body }: TaskRequest): PreparedTask {
  if ('simulate' in body) {
    const { simulate, ...others } = body
    return {
      ...priceTask(rules, model, { body: others, v1Family: null }),
      simulate: readSimulation(simulate, rules.allowsSimulation),
    }
  }
  const parameters = parseParameters(model, body, rules.isAllowedHost)
  return { model, parameters, priceMicroCredits: quotePrice(model, parameters), simulate: null }
}

function requireAvailable(modelId: string, { available, reason }: Availability): void {
  if (available) return
  throw new AppError(
    reason,
    `The model '${modelId}' is visible but not available to this account; ask the operator to grant it.`,
    {
      param: 'model',
    },
  )
}
