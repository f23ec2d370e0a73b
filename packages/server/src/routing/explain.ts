import { routeConditions, type RouteCondition } from '@framegate/contract'
import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import { findEligible, findRejection } from './eligible-routes.ts'
import { chooseRoute } from './allocate.ts'
import { ranksOf } from './lanes.ts'
import type { Route } from './route.ts'

/**
 * Predicted outcome of a request:
 *
 *   route      a task would be claimed now
 *   waits      a task would be accepted and wait
 *   refused    no route can serve the request, whatever the state of the routes
 *   no_route   the model has no route, or every route that can serve the request is out of order,
 *              so a submit is refused
 */
export type RouteOutcome = 'route' | 'waits' | 'refused' | 'no_route'

/** The reason why a task waits while no route is chosen. */
export type Obstacle = 'free_slot' | 'provider_throttled' | 'provider_unavailable'

export interface RouteExplanation {
  outcome: RouteOutcome
  refusal: ParameterRefusal | null
  /**
   * Of the obstacles on the routes that may be used now, the one that is likely to end first. Null
   * if a route is chosen.
   */
  obstacle: Obstacle | null
  /**
   * Earliest time at which a paused route can be used again. Null if no route that may be used now
   * is paused, or if a route is chosen.
   */
  nextTryMs: number | null
  /**
   * Whether the task waits although a route with a higher priority number is free. The task may
   * take that route once the routes before it have been busy for their `defer_max`.
   */
  isDeferred: boolean
  /** Every route that serves the model, lowest priority number first. */
  routes: readonly ExplainedRoute[]
}

export interface ExplainedRoute {
  route: Route
  /** The reason why the route cannot serve the request. Null if it can. */
  refusal: ParameterRefusal | null
  /** Number of free slots. 0 while the route or its upstream is paused, or waits for a probe. */
  freeSlots: number
  /** The worse of the conditions of the route and its upstream. */
  condition: RouteCondition
  /**
   * The owner of `condition`: `upstream` if both the route and its upstream have this condition.
   * Null if both work.
   */
  conditionOf: 'route' | 'upstream' | null
  pausedUntilMs: number | null
  /** Whether the allocator would grant this route next. */
  isChosen: boolean
}

/**
 * Predicts how a submit and the allocator would treat a request now, and returns the reasons. The
 * prediction takes no slot.
 */
export function explainRoutes(routes: readonly Route[], request: UpstreamRequest, nowMs: number): RouteExplanation {
  const { eligible, refusals } = findEligible(routes, request)
  const rejection = findRejection({ eligible, refusals }, nowMs)
  const freeSlots = (route: Route): number => route.freeSlots(nowMs)
  const { next, considered } = chooseRoute(ranksOf(eligible), freeSlots, nowMs)
  const pauseEndsMs = considered.map((route) => route.pausedUntilMs(nowMs)).filter((untilMs) => untilMs !== null)
  return {
    outcome: outcomeOf(rejection, next),
    refusal: rejection === null || rejection === 'no_route' ? null : rejection.refusal,
    obstacle: next === undefined ? obstacleOf(considered, nowMs) : null,
    nextTryMs: next !== undefined || pauseEndsMs.length === 0 ? null : Math.min(...pauseEndsMs),
    isDeferred: next === undefined && eligible.some((route) => freeSlots(route) > 0),
    routes: ranksOf(routes)
      .flat()
      .map((route) => {
        const { condition, conditionOf } = effectiveCondition(route)
        return {
          route,
          refusal: refusals.get(route) ?? null,
          freeSlots: freeSlots(route),
          condition,
          conditionOf,
          pausedUntilMs: route.pausedUntilMs(nowMs),
          isChosen: route === next,
        }
      }),
  }
}

function outcomeOf(rejection: ReturnType<typeof findRejection>, next: Route | undefined): RouteOutcome {
  if (rejection !== null) return rejection === 'no_route' ? rejection : 'refused'
  return next === undefined ? 'waits' : 'route'
}

function effectiveCondition({ slots, settings }: Route): Pick<ExplainedRoute, 'condition' | 'conditionOf'> {
  const routeCondition = slots.state.condition
  const { condition: upstreamCondition } = settings.upstream.slots.state
  if (routeCondition === 'open' && upstreamCondition === 'open') return { condition: 'open', conditionOf: null }
  return routeConditions.indexOf(routeCondition) > routeConditions.indexOf(upstreamCondition)
    ? { condition: routeCondition, conditionOf: 'route' }
    : { condition: upstreamCondition, conditionOf: 'upstream' }
}

/** Returns the obstacle of these routes that is likely to end first. */
function obstacleOf(routes: readonly Route[], nowMs: number): Obstacle {
  const obstacles = new Set(
    routes.map((route): Obstacle => {
      const { condition } = effectiveCondition(route)
      const isFull = route.slots.isFull || route.settings.upstream.slots.isFull
      if (route.pausedUntilMs(nowMs) === null && (isFull || condition === 'open')) return 'free_slot'
      return condition === 'throttled' ? 'provider_throttled' : 'provider_unavailable'
    }),
  )
  const earliestObstacle = (['free_slot', 'provider_throttled'] as const).find((obstacle) => obstacles.has(obstacle))
  return earliestObstacle ?? 'provider_unavailable'
}
