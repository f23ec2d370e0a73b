import type { UpstreamDriver, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { Secret } from '../config/secret.ts'

/** The upstream that is always there and needs no entry. */
export const embeddedName = 'embedded'
/** Of a route: every model that has none of its own. */
export const everyModel = '*'

/** A provider, as the operator has connected it. */
export interface UpstreamDefinition {
  name: string
  driver: UpstreamDriver
  baseUrl: string
  /** Null where the provider needs none. */
  credential: Secret | null
  inFlightMax: number
  pollsPerSecondMax: number
}

/** One way to serve a model. */
export interface RouteDefinition {
  /** What timelines and logs call it. */
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
  cost: RouteCost
}

/** What the operator pays on this route, in whatever unit he reckons; for his own reports. */
export interface RouteCost {
  perSecond: number
  perImage: number
  perTask: number
}

export interface Routing {
  upstreams: readonly UpstreamDefinition[]
  routes: readonly RouteDefinition[]
}
