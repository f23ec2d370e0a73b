import type { Generated } from 'kysely'

export interface BrandRow {
  no: Generated<number>
  id: string
  name: string
  is_default: Generated<number>
  /** JSON array of host names, lower case and without port. */
  hosts: Generated<string>
  result_origin: Generated<string | null>
  other_models: Generated<'catalogue' | 'hidden'>
  created_at: number
  tasks_in_flight_max: Generated<number | null>
  credits_in_flight_max: Generated<number | null>
  /** As `#rrggbb`. */
  color: Generated<string | null>
  /**
   * Hash of the logo file that an operator uploaded. The pixels of the logo are in `brand_logos`.
   */
  logo_sha256: Generated<string | null>
  /**
   * Number of days for which prompts are kept after their tasks end. Null: prompts are kept as long
   * as results.
   */
  prompt_retention_days: Generated<number | null>
}

export interface BrandLogoRow {
  brand_no: number
  width: number
  height: number
  /** RGBA with straight alpha, deflated, in Base64. */
  pixels: string
}

/** A brand's values for a model. Null: the value of the catalogue applies. */
export interface BrandModelRow {
  brand_no: number
  model: string
  visibility: 'hidden' | 'visible' | 'invocable' | null
  title: string | null
}

export interface AccountRow {
  no: Generated<number>
  id: string
  brand_no: number
  name: string
  status: 'active' | 'suspended' | 'closed'
  /** Spendable balance, micro-credits. */
  balance: Generated<number>
  /** Credits that running tasks and requests have reserved, micro-credits. */
  held: Generated<number>
  created_at: number
  tasks_in_flight_max: Generated<number | null>
  credits_in_flight_max: Generated<number | null>
  requests_per_minute_max: Generated<number | null>
  tokens_per_minute_max: Generated<number | null>
  /** Whether a task that exceeds a limit on tasks or credits in flight is refused or waits. */
  over_limit: Generated<'refuse' | 'wait'>
  /** Threshold in micro-credits: a balance that falls below it causes an event. Null: no event. */
  credits_low_at: Generated<number | null>
}

export interface ApiKeyRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string
  /** JSON array of the granted scopes. */
  scopes: string
  /** JSON array of the ids of the permitted models. Null: every model is permitted. */
  models: Generated<string | null>
  requests_per_second_max: Generated<number | null>
  requests_per_minute_max: Generated<number | null>
  tokens_per_minute_max: Generated<number | null>
  tasks_in_flight_max: Generated<number | null>
  credits_in_flight_max: Generated<number | null>
  spent_per_day_max: Generated<number | null>
  spent_per_month_max: Generated<number | null>
  created_at: number
  expires_at: Generated<number | null>
  revoked_at: Generated<number | null>
  last_used_at: Generated<number | null>
}

/** A secret of an API key. Each rotation adds a row. */
export interface ApiKeySecretRow {
  no: Generated<number>
  key_no: number
  /** SHA-256 of the secret, base64url. */
  digest: string
  created_at: number
  expires_at: Generated<number | null>
}

/** A session of the console. Sessions are not exported. */
export interface ConsoleSessionRow {
  /** SHA-256 of the token in the browser's cookie, base64url. */
  digest: string
  /** The digest of the secret whose permissions the session has, as in `api_key_secrets`. */
  secret_digest: string
  created_at: number
  used_at: number
  /** Time at which the key was last entered. */
  confirmed_at: number | null
}

/**
 * The erasure of a closed account, with counts of the removed objects. Tasks, results, keys and
 * audit entries are counted in the transaction that removes their content. Assets are counted
 * afterwards, because their rows still exist for a day.
 */
export interface ErasureRow {
  account_no: number
  key_no: number | null
  requested_at: number
  finished_at: Generated<number | null>
  tasks: Generated<number>
  results: Generated<number>
  assets: Generated<number>
  keys: Generated<number>
  audit_entries: Generated<number>
}
