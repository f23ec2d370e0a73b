import type { RouteCondition } from '@framegate/contract'
import type { Generated } from 'kysely'

/**
 * The slots of an upstream, or of a route to an upstream. A slot is the capacity for one attempt or
 * forwarded request. This row has the state of the slots, such as pauses. Other tables have the
 * number of slots in use.
 */
export interface SlotPoolRow {
  no: Generated<number>
  kind: 'upstream' | 'route'
  /**
   * For an upstream, its name. For a route, JSON of its model, its name, and its position among the
   * routes with the same name.
   */
  name: string
  /**
   * Digest of the destination, without the name. For a route, the text begins with the `no` of its
   * upstream's row.
   */
  target: string
  paused_until: Generated<number>
  unconfirmed_max: number | null
  refusals: Generated<number>
  condition: Generated<RouteCondition>
}

/**
 * An upstream or a route that an operator has stored in addition to the configuration file. Its
 * definition has the format of the file.
 */
export interface StoredRouteRow {
  name: string
  /** JSON, without the name and without the credential. */
  definition: string
  created_at: number
}

export interface StoredUpstreamRow extends StoredRouteRow {
  /** The encrypted credential. Null: the entry has no credential. */
  credential: string | null
}

/** A model that an operator has defined through the API. */
export interface StoredModelRow {
  id: string
  /** JSON in the format of the configuration file. */
  definition: string
  created_at: number
  changed_at: number
}

/** A current or earlier definition of a model. */
export interface ModelVersionRow {
  no: Generated<number>
  model: string
  /** Hash of the definition. */
  digest: string
  /** JSON. */
  definition: string
  created_at: number
}

/**
 * A route snapshot: one version of a route. An attempt refers to the version with which it was
 * created.
 */
export interface RouteSnapshotRow {
  no: Generated<number>
  digest: string
  /** JSON. */
  definition: string
  /** The encrypted credential. Null: the route has no credential. */
  credential: string | null
  created_at: number
  name: string | null
  upstream: string | null
}
