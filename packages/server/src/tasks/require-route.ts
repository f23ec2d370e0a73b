import type { EffectiveModel } from '../catalogue/effective/effective-model.ts'
import { findRemedies, withOtherDefaults, type IsGiven } from '../catalogue/effective/find-remedies.ts'
import { findViolations } from '../catalogue/find-violations.ts'
import type { Model, ParsedParameters } from '../catalogue/model.ts'
import type { IsAllowedHost } from '../catalogue/reference-violations.ts'
import { validationError } from '../catalogue/validation-error.ts'
import type { ProbedInput } from '../lib/input-limits.ts'
import type { ParameterRefusal } from '../drivers/upstream/upstream-driver.ts'
import { AppError } from '../lib/app-error.ts'
import { pointerTo } from '../lib/json-pointer.ts'
import type { Routes } from '../routing/routes.ts'
import { upstreamRequest } from './upstream-request.ts'

export type TaskRoutes = Pick<Routes, 'embeddedLane' | 'embeddedRefusal' | 'place' | 'retryAfterSeconds' | 'simulationLane'>

type RetryTimes = Pick<Routes, 'retryAfterSeconds'>

/** Value of `Retry-After` if it is unknown when the model will have a usable route. */
const retryAfterSeconds = '15'

/** A request that at least one route of its model can serve, or whose model has no route at all. */
export interface RoutedRequest {
  /**
   * The client's parameters, completed with the model's defaults. If no route can serve this
   * combination, the defaults are replaced by values that a route can serve.
   */
  parameters: ParsedParameters
  /**
   * The lane in which the task would wait. `no_route`: the model has no route, or all routes that
   * can serve the request are out of service.
   */
  lane: number | 'no_route'
}

export interface PlacementRules {
  routes: TaskRoutes
  isAllowedHost: IsAllowedHost
}

/**
 * Returns the parameters unchanged if a route can serve them, otherwise with other defaults that a
 * route can serve, if there are any.
 */
export function servedParameters(model: EffectiveModel, parameters: ParsedParameters, isGiven: IsGiven): ParsedParameters {
  const isServed = model.routes.length === 0 || model.routes.some(({ refuse }) => refuse(parameters) === null)
  return isServed ? parameters : (withOtherDefaults(model, parameters, isGiven) ?? parameters)
}

/**
 * Finds a lane for the request. If no route can serve the defaults in `parameters`, replaces them
 * by values that a route can serve. If that is not enough, throws an `AppError` that lists the
 * parameters to change.
 */
export function routeRequest(
  { routes, isAllowedHost }: PlacementRules,
  model: EffectiveModel,
  parameters: ParsedParameters,
  body: Readonly<Record<string, unknown>>,
): RoutedRequest {
  const { definition, displayed, isServed } = model
  const embeddedLane = routes.embeddedLane(definition.id)
  if (embeddedLane !== null) return { parameters, lane: embeddedLane }
  const lane = isServed ? laneOf(routes, model, parameters) : 'no_route'
  if (lane !== null) return { parameters, lane }
  const isGiven = (name: string): boolean => body[name] !== undefined
  const violations = findViolations(displayed, { ...parameters }, isAllowedHost)
  if (violations.length > 0) throw validationError(violations)
  const adaptedParameters = withOtherDefaults(model, parameters, isGiven)
  const otherLane = adaptedParameters === null ? null : laneOf(routes, model, adaptedParameters)
  if (adaptedParameters !== null && otherLane !== null) return { parameters: adaptedParameters, lane: otherLane }
  throw validationError(
    findRemedies(model, parameters, isGiven).map(({ parameter, message }) => ({
      pointer: pointerTo(parameter),
      code: 'invalid_parameter',
      message,
    })),
  )
}

/** Returns null if the model has routes, but none of them can serve the request. */
function laneOf(routes: TaskRoutes, { definition }: EffectiveModel, parameters: ParsedParameters): RoutedRequest['lane'] | null {
  const placement = routes.place(definition.id, upstreamRequest(definition, parameters))
  if (placement === 'no_route') return placement
  return 'lane' in placement ? placement.lane : null
}

export function requireLane(modelId: string, lane: RoutedRequest['lane'], routes: RetryTimes): number {
  if (lane === 'no_route') throw noRoute(modelId, routes.retryAfterSeconds(modelId))
  return lane
}

/**
 * Returns the error for a model without an available provider. If all routes of the model are paused
 * after failures, `pauseSeconds` is the time until one of them is tried again.
 */
export function noRoute(modelId: string, pauseSeconds?: number): AppError {
  const message = `No provider is available for '${modelId}' at the moment. Nothing was accepted; try again shortly.`
  const retryAfter = pauseSeconds === undefined ? retryAfterSeconds : String(pauseSeconds)
  return new AppError('no_route', message, { headers: { 'retry-after': retryAfter } })
}

/**
 * Returns the error for a model that needs a provider, but for which the operator has not set a
 * route to one.
 */
export function noProvider(modelId: string): AppError {
  const message = `'${modelId}' needs a provider, and the operator has not set a route to one. Nothing was accepted.`
  return new AppError('no_route', message, { headers: { 'retry-after': retryAfterSeconds } })
}

/**
 * Finds a lane for a request whose files were probed. Throws an `AppError` if no route accepts
 * these files.
 */
export function laneWithFiles(
  routes: TaskRoutes,
  model: Model,
  parameters: ParsedParameters,
  inputs: readonly ProbedInput[],
): number | 'no_route' {
  const embeddedLane = routes.embeddedLane(model.id)
  if (embeddedLane !== null) {
    const refusal = routes.embeddedRefusal(parameters)
    if (refusal !== null) throw refusedParameter(refusal)
    return embeddedLane
  }
  const placement = routes.place(model.id, upstreamRequest(model, parameters, inputs))
  if (placement === 'no_route') return placement
  if ('lane' in placement) return placement.lane
  throw refusedParameter(placement.refusal)
}

function refusedParameter({ parameter, message }: ParameterRefusal): AppError {
  return validationError([{ pointer: pointerTo(parameter), code: 'invalid_parameter', message }])
}
