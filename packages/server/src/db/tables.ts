import type {
  AttemptResolution,
  EventType,
  FoundResolution,
  RecordedEventType,
  RouteCondition,
  TaskObject,
  UnresolvedReason,
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookFormat,
} from '@framegate/contract'
import type { Generated } from 'kysely'

/**
 * Rows as every engine stores them. Texts are stored as text, times in milliseconds and amounts of
 * micro-credits as 64-bit integers, and JSON as text.
 */
export interface Tables {
  idempotency_keys: IdempotencyKeyRow
  brands: BrandRow
  brand_models: BrandModelRow
  brand_logos: BrandLogoRow
  accounts: AccountRow
  api_keys: ApiKeyRow
  api_key_secrets: ApiKeySecretRow
  console_sessions: ConsoleSessionRow
  config_version: ConfigVersionRow
  prices: PriceRow
  tasks: TaskRow
  assets: AssetRow
  uploads: UploadRow
  task_assets: TaskAssetRow
  task_attempts: AttemptRow
  task_images: TaskImagesRow
  forwarded_requests: ForwardedRequestRow
  route_snapshots: RouteSnapshotRow
  slot_pools: SlotPoolRow
  stored_upstreams: StoredUpstreamRow
  stored_routes: StoredRouteRow
  stored_models: StoredModelRow
  model_versions: ModelVersionRow
  entries: EntryRow
  grants: GrantRow
  grant_parts: GrantPartRow
  usage: UsageRow
  erasures: ErasureRow
  prompt_sweeps: PromptSweepRow
  prompts_left: PromptLeftRow
  results: ResultRow
  audit_log: AuditRow
  settings: SettingRow
  events: EventRow
  event_subscribers: EventSubscriberRow
  event_feeds: EventFeedRow
  webhook_endpoints: WebhookEndpointRow
  webhook_secrets: WebhookSecretRow
  task_webhooks: TaskWebhookRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_attempts: WebhookAttemptRow
}

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
   * Number of days for which the prompt of a task is kept after the task has ended. Null: as long
   * as the results of the task.
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

/** Values of a brand for a model. A null value means that the value of the catalogue applies. */
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
  /** Whether a task that exceeds a limit of its key, account or brand is refused or waits. */
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
  /** The digest of the secret that the session acts with, as in `api_key_secrets`. */
  secret_digest: string
  created_at: number
  used_at: number
  /** Time at which the key was last entered. */
  confirmed_at: number | null
}

/** A price that applies from a given time on instead of the price of the catalogue. */
export interface PriceRow {
  no: Generated<number>
  model: string
  brand_no: number | null
  account_no: number | null
  /**
   * The price rule as JSON. Null: from that time on, the owner of this row has no price of its own.
   */
  rule: string | null
  effective_at: number
  created_at: number
}

/** A counter that rises with every change of the data that processes keep in memory. */
export interface ConfigVersionRow {
  version: number
}

export interface TaskRow {
  /**
   * The first 60 bits of the task's UUIDv7 as a number. They contain milliseconds and a counter.
   */
  no: number
  /** The last 64 bits of the UUIDv7, hexadecimal. */
  tail: string
  account_no: number
  key_no: number | null
  model: string
  object: TaskObject
  parameters: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  progress: number
  price: number
  /**
   * The row of `prices` that determined the price of the task. Null: the price of the catalogue.
   */
  price_no: number | null
  /**
   * The row of `model_versions` that defined the model at acceptance. Null for a built-in model.
   */
  model_version_no: Generated<number | null>
  charged: number | null
  version: number
  due_at: number | null
  first_due_at: number | null
  lane: Generated<number>
  virtual_start: number | null
  /**
   * 1: the task waits for a limit of its account. 2: the task is on hold and has no open attempt.
   */
  waits: Generated<number>
  /**
   * 1: the task makes no further attempt until an operator releases it. 2: an operator released it.
   */
  held: Generated<number>
  goes_behind: Generated<number>
  lease_until: number | null
  lease_fence: number
  started_at: number | null
  ended_at: number | null
  error_code: string | null
  error_message: string | null
  /**
   * Time of the deletion. From this time on no client sees the task, and its content is removed.
   */
  deleted_at: Generated<number | null>
  /**
   * JSON of `MadeText`. Null for a media task, and for a text task whose text is not written yet.
   */
  made_text: Generated<string | null>
  /** JSON of `Improvement`. Null until the improvement of the prompt has begun. */
  improvement: Generated<string | null>
}

/** An idempotency key, by which a client or the service itself can find a task again. */
export interface IdempotencyKeyRow {
  task_no: number
  account_no: number
  key: string
  digest: string
}

/** An image, a video or a sound file that an account stores as input for its tasks. */
export interface AssetRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string | null
  content_type: string
  size_bytes: number
  /** SHA-256 of the file, lower-case hexadecimal. */
  sha256: string
  /** Width in pixels of the image or video as displayed. 0 for sound. */
  width: number
  height: number
  /** Duration of a video or of sound. Null for an image. */
  duration_ms: Generated<number | null>
  /** Null for an image and for sound. */
  frames_per_second: Generated<number | null>
  /** Codecs of the video track and of the audio track, such as `avc,aac`. Null for an image. */
  codecs: Generated<string | null>
  /** 0 or 1. */
  has_audio: Generated<number>
  created_at: number
  /** Time at which the upload of the file was complete. Null before that. */
  stored_at: number | null
  /**
   * Time of the deletion. From this time on no client sees the asset. The file stays for tasks that
   * were accepted before.
   */
  deleted_at: number | null
  /** Time at which the file was removed. */
  removed_at: number | null
}

/** An upload of an asset that arrives in several requests. */
export interface UploadRow {
  no: Generated<number>
  id: string
  account_no: number
  size_bytes: number
  /** The `Upload-Metadata` header field as the client sent it. */
  metadata: string | null
  name: string | null
  /** SHA-256 that the client announced for the whole file, lower-case hexadecimal. */
  sha256: string | null
  received_bytes: Generated<number>
  /** The stored pieces in their order. Each is written as `number:bytes`, followed by a space. */
  pieces: Generated<string>
  /** The highest number that was given to a piece, even if that piece was not stored. */
  last_piece: Generated<number>
  created_at: number
  expires_at: number
  ended_at: Generated<number | null>
  /** The asset that was made from the file. The row of the asset may have been removed already. */
  asset_id: Generated<string | null>
  /** JSON of the error with which the service refused the file. */
  error: Generated<string | null>
  /** Time at which the pieces were removed. */
  removed_at: Generated<number | null>
}

/** Input files of a task, stored until the task has ended. */
export interface TaskImagesRow {
  task_no: number
  /** JSON of the parameters that are files, such as `first_frame` and `reference_images`. */
  images: string
}

export interface TaskAssetRow {
  task_no: number
  asset_no: number
}

export interface AttemptRow {
  task_no: number
  number: number
  state: 'assigned' | 'starting' | 'started' | 'succeeded' | 'failed' | 'not_accepted'
  route: string
  snapshot_no: Generated<number>
  operation: string | null
  started_at: number
  ended_at: number | null
  reason: string | null
  /** The upstream's message. Only the operator sees it. */
  detail: string | null
  cost: number | null
  cost_unit: string | null
  /**
   * The operator's cost of the attempt, micro-credits. Null: the cost is unknown, or the route is
   * embedded.
   */
  paid: number | null
  unresolved: Unresolved | null
  closed_at: number | null
  closing: Closing | null
  closing_note: string | null
  deadline_ms: number | null
  route_pool: number | null
  upstream_pool: number | null
  holds_slot: Generated<number>
  /**
   * 1: the submit of the attempt was sent, its response was lost, and its job is being looked up.
   */
  reply_lost: Generated<number>
  /** The fence of the lease under which the attempt began. 0: the attempt has not begun. */
  begun_fence: Generated<number>
}

/**
 * Slots of an upstream, or of a route to an upstream. The row is a `PoolState` without the counts.
 */
export interface SlotPoolRow {
  no: Generated<number>
  kind: 'upstream' | 'route'
  /**
   * For an upstream, its name. For a route, JSON of its model, of its name, and of its position
   * among the routes with the same name.
   */
  name: string
  /**
   * Digest of the destination, which does not depend on the name. For a route, the number of the
   * pool of its upstream precedes the digest.
   */
  target: string
  paused_until: Generated<number>
  unconfirmed_max: number | null
  refusals: Generated<number>
  condition: Generated<RouteCondition>
}

/**
 * The reason why an operator has to review an attempt:
 *
 * - it is unknown whether an upstream accepted the attempt
 * - the attempt was paid for, and its result is unusable
 * - the task ended first, and the job of the attempt is still polled
 * - the job was completed after the task had ended
 */
export type Unresolved = UnresolvedReason

/** How the review of an attempt was closed: by an operator, or by the service itself. */
export type Closing = AttemptResolution | FoundResolution

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

/** A definition of a model that is in use, or was in use before. */
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
 * A route snapshot: one version of a route. Attempts refer to the version on which they were
 * opened.
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

/**
 * One immutable line of a ledger. The sum of `amount` over all lines of an account is the balance
 * of the account. The sum of `held` is its held credits.
 */
export interface EntryRow {
  no: Generated<number>
  account_no: number
  /** Position among the lines of the account, from 1. */
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
 * A request for a token model. Its number is from the same series as task numbers, so entries refer
 * to it by `task_no`.
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
  /** `route_snapshots.no`. -1: the request was never sent to an upstream. */
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

/** Usage and cost of ended tasks, by the day on which the tasks were accepted. */
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

/**
 * The erasure of a closed account. A count is written in the same transaction as the removal that
 * it counts.
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

/** Progress of the removal of prompts, one row for each retention period. */
export interface PromptSweepRow {
  retention: string
  swept_no: number
  /** JSON array of the numbers of the brands. */
  brands: string
}

export interface PromptLeftRow {
  task_no: number
}

export interface ResultRow {
  task_no: number
  position: number
  object_key: string
  content_type: string
  size_bytes: number
  sha256: string
  width: number
  height: number
  duration_ms: number | null
  seed: number | null
  expires_at: number
  removed_at: number | null
  /** 0: no thumbnail can be made of this result. Null: no thumbnail was made yet. */
  thumbnail_bytes: Generated<number | null>
  thumbnail_sha256: Generated<string | null>
  spritesheet_bytes: Generated<number | null>
  spritesheet_sha256: Generated<string | null>
  /** Until this time, one process has reserved the work on a preview of this result. */
  previews_until: Generated<number | null>
}

/** One change that was made through the operator API. `before` and `after` are JSON. */
export interface AuditRow {
  no: Generated<number>
  at: number
  key_no: number | null
  action: string
  target: string
  before: string | null
  after: string | null
}

export interface SettingRow {
  name: string
  value: string
}

/** An event that webhooks or event streams of the account receive. */
export interface EventRow {
  no: Generated<number>
  account_no: number
  type: RecordedEventType
  task_no: number | null
  /**
   * The id of an event without a task. The id of any other event follows from its task and type.
   */
  id: string | null
  at: number
  /** Position among the events of the account, from 1. Null until the event is distributed. */
  position: Generated<number | null>
}

/** The event types that are recorded for an account, as bits (`event-type-bits.ts`). */
export interface EventSubscriberRow {
  account_no: number
  types: number
}

export interface EventFeedRow {
  account_no: number
  last_position: Generated<number>
  /** Until this time, events are recorded for event streams of the account. */
  open_until: Generated<number>
}

/**
 * A webhook of an account. A row of the kind `task` instead stands for all webhook addresses of one
 * origin that tasks of the account name. The `url` of such a row is the origin.
 */
export interface WebhookEndpointRow {
  no: Generated<number>
  id: string
  account_no: number
  kind: 'account' | 'task'
  url: string
  description: string
  /** The subscribed event types as bits (`event-type-bits.ts`). */
  types: number
  format: WebhookFormat
  /** 0 or 1. */
  enabled: Generated<number>
  disabled_reason: Generated<WebhookDisabledReason | null>
  /** Maximum number of deliveries per second. */
  rate_limit: number | null
  /** The encrypted secret. Null for a row of the kind `task`. */
  secret: string | null
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
  deleted_at: Generated<number | null>
  /**
   * Time at which a worker must check the deliveries of this endpoint. Null: there is no delivery
   * to send.
   */
  due_at: Generated<number | null>
  /** Number of consecutive failures. */
  failures: Generated<number>
  /** 1: no delivery has succeeded since the last failure. */
  is_failing: Generated<number>
  /** Time of the first of the consecutive failures. */
  failing_since: Generated<number | null>
  paused_until: Generated<number>
  lease_until: Generated<number | null>
  lease_fence: Generated<number>
}

/**
 * The encrypted secret with which an account signs deliveries to the webhook addresses of its
 * tasks.
 */
export interface WebhookSecretRow {
  account_no: number
  secret: string
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
}

/**
 * The webhook address that a task names. The row is removed when the end of the task is
 * distributed.
 */
export interface TaskWebhookRow {
  task_no: number
  endpoint_no: number
  url: string
}

export interface WebhookDeliveryRow {
  no: Generated<number>
  id: string
  endpoint_no: number
  type: EventType
  event_id: string | null
  event_at: number
  task_no: number | null
  /** The address, for an endpoint of the kind `task`. Null: the address of the endpoint applies. */
  url: string | null
  status: Generated<WebhookDeliveryStatus>
  attempts: Generated<number>
  /** Number of attempts in the current retry schedule. */
  tries: Generated<number>
  /** 1: the account has requested the next attempt. */
  is_manual: Generated<number>
  created_at: number
  due_at: number | null
  ended_at: Generated<number | null>
}

export interface WebhookAttemptRow {
  delivery_no: number
  number: number
  at: number
  duration_ms: number
  is_manual: number
  status_code: number | null
  error: string | null
  /** The first part of the response body. */
  response_body: string | null
}
