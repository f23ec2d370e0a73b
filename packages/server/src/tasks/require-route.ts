import { outputSize } from '../catalogue/output-size.ts'
import type { Model, ParsedParameters } from '../catalogue/model.ts'
import { refusalOf } from '../catalogue/refusal-of.ts'
import { AppError } from '../lib/app-error.ts'
import type { Routes } from '../routing/routes.ts'

export type TaskRoutes = Pick<Routes, 'isEmbedded' | 'refuse'>

const retrySeconds = '15'

/** Refuses what no upstream of the model can do as it is asked. Answers with `no_route` when none can do anything just now. */
export function findRoute(routes: TaskRoutes, model: Model, parameters: ParsedParameters): 'no_route' | null {
  if (routes.isEmbedded(model.id)) return null
  const { id, object } = model
  const refusal = routes.refuse(id, { model: id, object, size: outputSize(model, parameters), parameters })
  if (refusal === null || refusal === 'no_route') return refusal
  const { parameter, message } = refusal
  throw refusalOf([{ pointer: `/${parameter}`, code: 'invalid_parameter', message }])
}

export function requireRoute(routes: TaskRoutes, model: Model, parameters: ParsedParameters): void {
  if (findRoute(routes, model, parameters) === null) return
  throw new AppError('no_route', `No upstream can take '${model.id}' on just now; nothing was accepted, try again shortly.`, {
    headers: { 'retry-after': retrySeconds },
  })
}
