import type { Simulation } from '@framegate/contract'
import type { Principal } from '../auth/principal.ts'
import { availabilityFor } from '../catalogue/availability-for.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { EffectiveModel } from '../catalogue/effective/effective-model.ts'
import type { Availability, Model, PriceRule, V1Family } from '../catalogue/model.ts'
import { parseParameters } from '../catalogue/parse-parameters.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import type { PriceBook } from '../catalogue/price-book.ts'
import { coversRequest, quotePrice } from '../catalogue/price.ts'
import type { PricedInputs } from '../catalogue/generation-parameters.ts'
import { pricedInputs } from '../catalogue/priced-inputs.ts'
import { requireInFamily, resolveModel } from '../catalogue/resolve-model.ts'
import { taskObjectOf } from '../catalogue/token-model.ts'
import { uncoveredRequest, unpricedModel } from '../catalogue/unpriced.ts'
import { AppError } from '../lib/app-error.ts'
import type { ProbedInput } from '../lib/input-limits.ts'
import type { Clock } from '../lib/clock.ts'
import type { TaskWebhooks } from '../webhooks/task-webhooks.ts'
import { withOtherViolations } from './other-violations.ts'
import { readSimulation } from './read-simulation.ts'
import type { EffectiveModels } from './effective-models.ts'
import { improvementPrice, readImprovePrompt } from './improvement-price.ts'
import { costPhrase } from './credits-error.ts'
import { readMaxAmount } from './max-amount.ts'
import { noProvider, noRoute, routeRequest, requireLane, type RoutedRequest, type PlacementRules } from './require-route.ts'

export interface TaskRules extends PlacementRules {
  prices: Pick<PriceBook, 'priceOf'>
  clock: Clock
  effectiveModels: EffectiveModels
  webhooks: { readonly ofTasks: TaskWebhooks }
  /** Whether clients may request simulations. False in production mode. */
  allowsSimulation: boolean
}

/** A submit or a quote. `v1Family` is the family if the request was sent to a v1 collection. */
export interface TaskRequest {
  principal: Pick<Principal, 'accountNo' | 'brandNo' | 'keyNo' | 'models'>
  /** The models that the brand of the caller shows. */
  catalogue: Catalogue
  body: Readonly<Record<string, unknown>>
  v1Family: V1Family | null
  /** Number of tasks that the client's request creates, all with this body and price. Default: 1. */
  taskCount?: number
}

/** A validated submit and its price. */
export interface PricedTask extends RoutedRequest {
  model: Model
  /**
   * Price of the task in micro-credits. Until the input files are probed, the price includes the
   * input images, but not the seconds of input videos.
   */
  priceMicroCredits: number
  rule: PriceRule
  /**
   * Part of the price for improving the prompt. Null: the client did not request an improvement.
   */
  improvementMicroCredits: number | null
  /** The inputs on which the price depends. Null: it depends on none. */
  billedInputs: PricedInputs | null
  /** Number of the price line that sets this price. Null: the price comes from the catalogue. */
  priceNo: number | null
  /** The client's `max_amount` in micro-credits. Infinity if it is absent. */
  maxAmountMicroCredits: number
  /** The requested simulation. Null for a real task. */
  simulate: Simulation | null
  /** The URL that receives the event when the task ends. Null: there is none. */
  webhookUrl: URL | null
}

export interface PreparedTask extends PricedTask {
  /** The lane (queue partition) in which the task waits for a route. */
  lane: number
}

/**
 * Validates a submit. The order of the checks is:
 *   - the model, its family and its availability
 *   - the parameters and `simulate`, and whether any route can serve them
 *   - the price, and the other fields of the body
 *   - whether a route that can serve the request is in service
 *   - `max_amount`
 */
export function prepareTask(rules: TaskRules, request: TaskRequest): PreparedTask {
  const model = rules.effectiveModels.of(chooseModel(request))
  const { id } = model.definition
  const availability = availabilityFor(model.displayed, request.principal.models)
  // A simulated task needs no provider.
  const isSimulated = availability.reason === 'no_route' && request.body['simulate'] !== undefined
  if (!isSimulated) requireAvailable(id, availability, model.routes.length === 0 ? noProvider : noRoute)
  const task = priceTask(rules, model, request)
  const lane = requireLane(id, task.lane, rules.routes)
  requireMaxAmount(task, request)
  return { ...task, lane }
}

/** Returns the task with the price that results from its probed files. */
export function withProbedInputs<Task extends PricedTask>(task: Task, probed: readonly ProbedInput[]): Task {
  const { model, parameters, rule, improvementMicroCredits } = task
  const billedInputs = pricedInputs(rule, parameters, probed)
  const priceMicroCredits = quotePrice(model, parameters, rule, billedInputs) + (improvementMicroCredits ?? 0)
  return { ...task, billedInputs, priceMicroCredits }
}

/** Throws if the tasks of the request together cost more than the `max_amount` of its body. */
export function requireMaxAmount(
  { priceMicroCredits, maxAmountMicroCredits }: PricedTask,
  { body, taskCount = 1 }: Pick<TaskRequest, 'body' | 'taskCount'>,
): void {
  const totalMicroCredits = taskCount * priceMicroCredits
  if (totalMicroCredits <= maxAmountMicroCredits) return
  const message = `${costPhrase('task', taskCount)} ${creditsOf(totalMicroCredits)} credits, more than the ${Number(body['max_amount'])} that max_amount allows.`
  throw new AppError('max_amount_exceeded', message, { param: 'max_amount' })
}

export function chooseModel({ catalogue, body, v1Family }: TaskRequest): Model {
  const model = resolveModel(catalogue, body['model'])
  if (v1Family !== null) requireInFamily(model, v1Family)
  taskObjectOf(model)
  return model
}

/** Validates a request and determines its price. An error lists the violations of all fields. */
export function priceTask(
  rules: TaskRules,
  effectiveModel: EffectiveModel,
  request: Pick<TaskRequest, 'body' | 'principal' | 'catalogue'>,
): PricedTask {
  try {
    return priceValidTask(rules, effectiveModel, request)
  } catch (error) {
    const { simulate, max_amount: maxAmount, webhook_url: webhookUrl, [improvePromptName]: improvePrompt } = request.body
    throw withOtherViolations(error, [
      () => simulate !== undefined && readSimulation(simulate, rules.allowsSimulation),
      () => readImprovePrompt(improvePrompt),
      () => readMaxAmount(maxAmount),
      () => webhookUrl !== undefined && rules.webhooks.ofTasks.read(webhookUrl),
    ])
  }
}

function priceValidTask(
  rules: TaskRules,
  effectiveModel: EffectiveModel,
  { body, principal, catalogue }: Pick<TaskRequest, 'body' | 'principal' | 'catalogue'>,
): PricedTask {
  const { definition: model, displayed } = effectiveModel
  const parsedParameters = parseParameters(displayed, withoutTaskSettings(model, body), rules.isAllowedHost)
  const simulate = 'simulate' in body ? readSimulation(body['simulate'], rules.allowsSimulation) : null
  const { parameters, lane } =
    simulate === null
      ? routeRequest(rules, effectiveModel, parsedParameters, body)
      : { parameters: parsedParameters, lane: rules.routes.simulationLane }
  const price = rules.prices.priceOf(model, principal, rules.clock())
  if (price === null) throw unpricedModel(model.id)
  const { rule, no: priceNo } = price
  if (!coversRequest(model, parameters, rule)) throw uncoveredRequest(model.id)
  const billedInputs = pricedInputs(rule, parameters, [])
  const improvementMicroCredits =
    improvePromptName in body
      ? improvementPrice({ prices: rules.prices, nowMs: rules.clock() }, model, { body, principal, catalogue })
      : null
  return {
    model,
    parameters,
    lane,
    priceMicroCredits: quotePrice(model, parameters, rule, billedInputs) + (improvementMicroCredits ?? 0),
    improvementMicroCredits,
    rule,
    billedInputs,
    priceNo,
    maxAmountMicroCredits: readMaxAmount(body['max_amount']),
    simulate,
    webhookUrl: 'webhook_url' in body ? rules.webhooks.ofTasks.read(body['webhook_url']) : null,
  }
}

const improvePromptName = 'improve_prompt'

/** Returns the body without the fields that are not parameters of the model. */
function withoutTaskSettings({ object }: Model, body: TaskRequest['body']): TaskRequest['body'] {
  if (!('simulate' in body) && !('max_amount' in body) && !(improvePromptName in body) && !('webhook_url' in body)) return body
  const {
    simulate: _simulate,
    max_amount: _maxAmount,
    webhook_url: _webhookUrl,
    [improvePromptName]: improvePrompt,
    ...others
  } = body
  // A text model cannot use an improved prompt, so this field stays in the body and is reported as
  // unknown.
  return object === 'text' && improvePrompt !== undefined ? { ...others, [improvePromptName]: improvePrompt } : others
}

export function requireAvailable(
  modelId: string,
  { available, reason }: Availability,
  refuseWithoutRoute: (modelId: string) => AppError = noRoute,
): void {
  if (available) return
  if (reason === 'no_route') throw refuseWithoutRoute(modelId)
  if (reason === 'key_scope_missing') {
    throw new AppError(reason, `This API key may not invoke the model '${modelId}'; use a key that may.`, { param: 'model' })
  }
  throw new AppError(
    reason,
    `The model '${modelId}' is visible but not available to this account; ask the operator to grant it.`,
    {
      param: 'model',
    },
  )
}
