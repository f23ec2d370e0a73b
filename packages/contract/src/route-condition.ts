/** Ordered by severity. */
export const routeConditions = ['open', 'throttled', 'unavailable', 'out_of_order'] as const
/**
 * Condition of a route or an upstream.
 *
 *   open           no known problem
 *   throttled      the provider asked the service to retry later
 *   unavailable    an attempt could not reach the provider, or was refused for a reason unrelated to
 *                  the task
 *   out_of_order   several attempts were unavailable, or a probe failed; tasks that need it are
 *                  refused at submit
 */
export type RouteCondition = (typeof routeConditions)[number]
