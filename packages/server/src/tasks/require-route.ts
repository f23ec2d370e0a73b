import { outputSize } from '../catalogue/output-size.ts'
import type { Model, ParsedParameters } from '../catalogue/model.ts'
import { refusalOf } from '../catalogue/refusal-of.ts'
import type { UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import { AppError } from '../lib/app-error.ts'
import type { Routes } from '../routing/routes.ts'

export type TaskRoutes = Pick<Routes, 'embeddedLane' | 'place' | 'simulationLane'>

const retrySeconds = '15'

/**
 * The lane in which such a task would wait, or `no_route` when every route that can serve it is out
 * of order. When no route of the model can serve one of the parameters, throws a refusal that names
 * the parameter.
 */
export function findLane(routes: TaskRoutes, model: Model, parameters: ParsedParameters): number | 'no_route' {
  const embeddedLane = routes.embeddedLane(model.id)
  if (embeddedLane !== null) return embeddedLane
  const placement = routes.place(model.id, upstreamRequest(model, parameters))
  if (placement === 'no_route') return placement
  if ('lane' in placement) return placement.lane
  const { parameter, message } = placement.refusal
  throw refusalOf([{ pointer: `/${parameter}`, code: 'invalid_parameter', message }])
}

export function upstreamRequest(model: Model, parameters: ParsedParameters): UpstreamRequest {
  return { model: model.id, object: model.object, size: outputSize(model, parameters), parameters }
}

export function requireLane(routes: TaskRoutes, model: Model, parameters: ParsedParameters): number {
  const lane = findLane(routes, model, parameters)
  if (lane !== 'no_route') return lane
  throw new AppError(
    'no_route',
    `No provider is available for '${model.id}' at the moment. Nothing was accepted; try again shortly.`,
    {
      headers: { 'retry-after': retrySeconds },
    },
  )
}
