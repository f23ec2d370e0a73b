/** All conditions, in order of severity. */
export const routeConditions = ['open', 'throttled', 'unavailable', 'out_of_order'] as const
/**
 * Condition of an upstream (a configured connection to a provider's API) or of a route, which
 * assigns a model to an upstream.
 *
 *   open           no known problem
 *   throttled      the provider asked the service to retry later
 *   unavailable    an attempt could not reach the provider, or was rejected for a reason unrelated to
 *                  the task
 *   out_of_order   several attempts failed that way, or a probe failed; submits that need this route
 *                  or upstream are rejected
 */
export type RouteCondition = (typeof routeConditions)[number]
