import type { UpstreamDriver, UpstreamTarget } from '../../drivers/upstream/upstream-driver.ts'
import type { Secret } from '../../config/secret.ts'

/** Name of the built-in upstream, which works without an entry in the configuration. */
export const embeddedName = 'embedded'
/**
 * Value of `model` for a route that serves every image and video model without a route of its own.
 */
export const everyModel = '*'

/** A provider, as the operator has configured it. */
export interface UpstreamDefinition {
  name: string
  driver: UpstreamDriver
  baseUrl: string
  /**
   * URL from which imports request the schemas of the provider's models. Default: the public schema
   * URL of fal or OpenRouter, and `baseUrl` for other providers.
   */
  schemaUrl?: string
  /** The API key. Null if the provider needs none. */
  credential: Secret | null
  inFlightMax: number
  pollsPerSecondMax: number
}

/** A route: one way to serve a model, by an upstream or by the embedded driver. */
export interface RouteDefinition {
  /** Name of the route in the timelines of tasks and in logs. */
  name: string
  /** A Model ID, or `*`. */
  model: string
  /** Null for a route to the embedded driver. */
  upstream: UpstreamDefinition | null
  target: UpstreamTarget
  priority: number
  weight: number
  inFlightMax: number
  deferMaxMs: number
  deadlineMs: number | null
  /** Null if the operator has not set a cost. */
  cost: RouteCost | null
}

/**
 * The operator's cost of a job on this route, in credits. The cost of a job is the sum of the
 * parts.
 */
export interface RouteCost {
  perSecond: number
  perImage: number
  perTask: number
  /** Cost per unit of the charge that the upstream reports (`AttemptCost`). */
  perUnit: number
  /** Cost per million tokens of forwarded requests. */
  tokens?: { input: number; cachedInput: number; output: number }
}

export interface Routing {
  upstreams: readonly UpstreamDefinition[]
  routes: readonly RouteDefinition[]
  /**
   * Values of `model` in disabled routes. If no other route has the same `model`, the model is not
   * served: routes for `*` and the embedded driver do not replace its routes.
   */
  disabledModels?: readonly string[]
}
