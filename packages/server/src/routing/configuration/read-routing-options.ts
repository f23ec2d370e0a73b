import type { ParameterRefusal, UpstreamDriver, UpstreamRequest } from '../../drivers/upstream/upstream-driver.ts'

/**
 * Returns the reason why a route cannot serve any request for a model. The reason completes a
 * sentence that begins with the name of a field. Returns null if the route can serve at least one
 * request.
 */
export type FindUnusableReason = (model: string, route: RouteCapability) => string | null

interface RouteCapability {
  refuse: (request: UpstreamRequest) => ParameterRefusal | null
  /** Whether the driver of the route forwards requests for token models. */
  forwards: boolean
}

export interface ReadRoutingOptions {
  drivers: readonly UpstreamDriver[]
  modelIds: ReadonlySet<string>
  /** Names of upstreams that exist but cannot be used. Default: none. */
  disabledUpstreams?: readonly string[]
  findUnusableReason: FindUnusableReason
  /**
   * Returns whether the embedded driver cannot serve a model. Default: the embedded driver serves
   * every model.
   */
  needsUpstream?: (model: string) => boolean
  /**
   * Reads a file that an entry names. If that fails, throws an error whose message completes a
   * sentence such as `api_key_file …`.
   */
  readFile: (path: string) => string
  /**
   * Returns the name of the route at `index` for the message about a violation of the route at
   * `violatingIndex`. Default: a name such as `routes[1]`.
   */
  describeRoute?: (index: number, violatingIndex: number) => string
}
