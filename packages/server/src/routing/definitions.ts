import type { UpstreamDriver, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { Secret } from '../config/secret.ts'

/** The built-in upstream, which needs no entry. */
export const embeddedName = 'embedded'
/** Model of a route that serves every model without a route of its own. */
export const everyModel = '*'

/** A provider as the operator has connected it. */
export interface UpstreamDefinition {
  name: string
  driver: UpstreamDriver
  baseUrl: string
  /** Where imports request the schemas of its models. Default: the provider's own address. */
  schemaUrl?: string
  /** Null where the provider needs none. */
  credential: Secret | null
  inFlightMax: number
  pollsPerSecondMax: number
}

/** One way to serve a model. */
export interface RouteDefinition {
  /** The name in timelines and logs. */
  name: string
  /** A Model ID, or `*`. */
  model: string
  /** Null: the embedded driver. */
  upstream: UpstreamDefinition | null
  target: UpstreamTarget
  priority: number
  weight: number
  inFlightMax: number
  deferMaxMs: number
  deadlineMs: number | null
  /** Null: the operator has not set it. */
  cost: RouteCost | null
}

/** The operator's cost of a job on this route, credits. The parts add up. */
export interface RouteCost {
  perSecond: number
  perImage: number
  perTask: number
  /** Per unit of the charge that the upstream reports (`AttemptCost`). */
  perUnit: number
  /** Per million tokens of forwarded requests. */
  tokens?: { input: number; cachedInput: number; output: number }
}

export interface Routing {
  upstreams: readonly UpstreamDefinition[]
  routes: readonly RouteDefinition[]
}
