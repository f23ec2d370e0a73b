import type { Generated } from 'kysely'

/** A price that replaces the catalogue's price from a given time on. */
export interface PriceRow {
  no: Generated<number>
  model: string
  brand_no: number | null
  account_no: number | null
  /**
   * The price rule as JSON. Null: from that time on, the brand or account has no price of its own.
   */
  rule: string | null
  effective_at: number
  created_at: number
}

/**
 * One immutable entry of a ledger. The sum of `amount` over all entries of an account is the
 * balance of the account. The sum of `held` is its held credits.
 */
export interface EntryRow {
  no: Generated<number>
  account_no: number
  /** Position among the entries of the account, from 1. */
  position: number
  task_no: number | null
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'adjust' | 'expire'
  amount: number
  held: number
  balance_after: number
  /** Time of the entry. It is never earlier than the time of the account's previous entry. */
  at: number
  note: string | null
  reference: string | null
}

/**
 * A forwarded request (`forwarded-requests.ts`). Its number is from the same series as task
 * numbers, so entries refer to it by `task_no`.
 */
export interface ForwardedRequestRow {
  no: number
  request_id: string
  owner: string
  account_no: number
  key_no: number | null
  model: string
  object: string
  price: number
  price_no: number | null
  charged: number | null
  started_at: number
  lease_until: number | null
  ended_at: number | null
  outcome: 'completed' | 'failed' | 'abandoned' | null
  /** `route_snapshots.no` of the request's last route. */
  route_no: number
  route_pool: number | null
  upstream_pool: number | null
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  /** 1: the upstream reported no usage, so the token counts are an estimate. */
  is_estimated: number
  /** The operator's cost, micro-credits. Null: the cost is unknown. */
  paid: number | null
}

/** Credits that expire. They are part of the balance of the account. */
export interface GrantRow {
  no: Generated<number>
  account_no: number
  expires_at: number
  /** The remaining amount of the grant. It is the sum of the parts of the grant. */
  remaining: number
}

/** The amount that an entry has added to an expiring grant, or taken from it. */
export interface GrantPartRow {
  entry_no: number
  grant_no: number
  task_no: number | null
  amount: number
}

/** Usage and cost of ended tasks and forwarded requests, by the day on which they were accepted. */
export interface UsageRow {
  account_no: number
  /** 0 for tasks that were submitted without an API key. */
  key_no: number
  /** Days since 1970, UTC. */
  day: number
  model: string
  /**
   * `route_snapshots.no`. 0: the route is embedded. -1: no attempt was under way when the task
   * ended.
   */
  route_no: number
  completed: number
  failed: number
  charged: number
  produced_ms: number
  /** Sum of the known costs of attempts, micro-credits. */
  cost: number
  /** Number of attempts at an upstream whose cost is unknown. */
  cost_unknown: number
  /** Tokens of forwarded requests. */
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
}
