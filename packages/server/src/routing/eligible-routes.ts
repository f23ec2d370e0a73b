import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import type { Route } from './route.ts'

/** The routes of a model, divided by whether they can serve a request. */
export interface EligibleRoutes {
  /** The routes that can serve the request, in the order of the model's routes. */
  eligible: readonly Route[]
  /** The reason why each other route cannot serve the request. */
  refusals: ReadonlyMap<Route, ParameterRefusal>
}

export function findEligible(routes: readonly Route[], request: UpstreamRequest): EligibleRoutes {
  const refusals = new Map<Route, ParameterRefusal>()
  for (const route of routes) {
    const refusal = route.settings.refuse(request)
    if (refusal !== null) refusals.set(route, refusal)
  }
  return { eligible: routes.filter((route) => !refusals.has(route)), refusals }
}

/** Returns the reason why a submit is refused, or null if a task may wait for one of the routes. */
export function findRejection(
  { eligible, refusals }: EligibleRoutes,
  nowMs: number,
): { refusal: ParameterRefusal } | 'no_route' | null {
  const [refusal] = refusals.values()
  if (eligible.length === 0) return refusal ? { refusal } : 'no_route'
  return eligible.every((route) => route.isOutOfOrder(nowMs)) ? 'no_route' : null
}
