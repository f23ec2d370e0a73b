import type { AdminRoute, AdminUpstream, RouteExplanation } from '@framegate/contract'
import { timeText } from '../terminal/time.ts'

/** A route or an upstream whose state is shown. */
type RoutingState = AdminUpstream | AdminRoute
type ExplainedRoute = RouteExplanation['routes'][number]

export function stateText(state: RoutingState): string {
  const { fault, circuit, tried_again_at, failing_since, last_error } = state
  const reason = last_error === null ? '' : `: ${last_error}`
  if (fault !== null) return 'disabled'
  if (circuit === 'open') return `${untilText('out of service', timeText(tried_again_at))}${reason}`
  if (circuit === 'half_open') return `half open${reason}`
  if (failing_since !== null) return `failing${reason}`
  if (state.object === 'upstream') return 'ok'
  if (state.busy_until !== null) return untilText('busy', timeText(state.busy_until))
  return loadText(state.busy)
}

/**
 * Describes the condition of a route. The end of a pause is shown as a time of day in UTC, because
 * pauses last minutes.
 */
export function conditionText({ condition, condition_of, paused_until, free_slots }: ExplainedRoute): string {
  if (condition === 'open') return loadText(free_slots === 0)
  const conditionName = `${condition_of === 'upstream' ? 'upstream ' : ''}${condition.replaceAll('_', ' ')}`
  const pauseEnd = timeText(paused_until)?.slice('2000-01-01T'.length)
  return pauseEnd === undefined ? `${conditionName}, half open` : untilText(conditionName, pauseEnd)
}

function untilText(conditionName: string, pauseEnd: string | null): string {
  return `${conditionName} until ${pauseEnd}`
}

function loadText(isFull: boolean): string {
  return isFull ? 'full' : 'ok'
}

export function sourceText({ source }: RoutingState): string {
  return { file: 'the file', api: 'the API', built_in: 'built in' }[source]
}
