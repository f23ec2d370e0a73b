import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import type { Route } from './route.ts'

/** The routes of a model, divided by whether they can serve a request. */
export interface AbleRoutes {
  /** The routes that can serve the request, in the given order. */
  able: readonly Route[]
  /** The reason why each other route cannot serve the request. */
  refusals: ReadonlyMap<Route, ParameterRefusal>
}

export function findAble(routes: readonly Route[], request: UpstreamRequest): AbleRoutes {
  const refusals = new Map<Route, ParameterRefusal>()
  for (const route of routes) {
    const refusal = route.settings.refuse(request)
    if (refusal !== null) refusals.set(route, refusal)
  }
  return { able: routes.filter((route) => !refusals.has(route)), refusals }
}

/** Returns the reason why a submit is refused, or null if a task may wait for one of the routes. */
export function refusalOf({ able, refusals }: AbleRoutes, nowMs: number): { refusal: ParameterRefusal } | 'no_route' | null {
  const [refusal] = refusals.values()
  if (able.length === 0) return refusal ? { refusal } : 'no_route'
  return able.every((route) => route.isOutOfOrder(nowMs)) ? 'no_route' : null
}
