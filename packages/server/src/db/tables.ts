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
 * Rows as every engine stores them: text, 64-bit integers for time in milliseconds and money in
 * micro-credits, JSON as text.
 */
export interface Tables {
  idempotency_keys: IdempotencyKeyRow
  brands: BrandRow
  brand_models: BrandModelRow
  brand_logos: BrandLogoRow
  accounts: AccountRow
  api_keys: ApiKeyRow
  api_key_secrets: ApiKeySecretRow
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
  /** Hash of the file that an operator uploaded; its pixels are in `brand_logos`. */
  logo_sha256: Generated<string | null>
  /** Days for which prompts are kept after their tasks have ended; null: as long as results. */
  prompt_retention_days: Generated<number | null>
}

export interface BrandLogoRow {
  brand_no: number
  width: number
  height: number
  /** RGBA with straight alpha, deflated, in base64. */
  pixels: string
}

/** A brand's own values for a model; null: the catalogue's value. */
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
  /** Reserved by running tasks, micro-credits. */
  held: Generated<number>
  created_at: number
  tasks_in_flight_max: Generated<number | null>
  credits_in_flight_max: Generated<number | null>
  /** Handling of a task that exceeds a limit of its key, account or brand. */
  requests_per_minute_max: Generated<number | null>
  tokens_per_minute_max: Generated<number | null>
  over_limit: Generated<'refuse' | 'wait'>
  /** A balance that falls below it is an event, micro-credits; null: none. */
  credits_low_at: Generated<number | null>
}

export interface ApiKeyRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string
  /** JSON array. */
  scopes: string
  /** JSON array of Model IDs; null: every model. */
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

/** A secret of an API key: each rotation adds one. */
export interface ApiKeySecretRow {
  no: Generated<number>
  key_no: number
  /** SHA-256 of the secret, base64url. */
  digest: string
  created_at: number
  expires_at: Generated<number | null>
}

/** A price that replaces the catalogue's from a given time on. */
export interface PriceRow {
  no: Generated<number>
  model: string
  brand_no: number | null
  account_no: number | null
  /** JSON; null: from that time on, its owner has no price of its own. */
  rule: string | null
  effective_at: number
  created_at: number
}

/** A counter that rises with every change of data that processes keep in memory. */
export interface ConfigVersionRow {
  version: number
}

export interface TaskRow {
  /** The first 60 bits of the task's UUIDv7 as a number: milliseconds and counter. */
  no: number
  /** The last 64 bits, hexadecimal. */
  tail: string
  account_no: number
  key_no: number | null
  model: string
  object: TaskObject
  parameters: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  progress: number
  price: number
  /** The row of `prices` that determined its price; null: the catalogue. */
  price_no: number | null
  /** The row of `model_versions` under which it was accepted; null for a built-in model. */
  model_version_no: Generated<number | null>
  charged: number | null
  version: number
  due_at: number | null
  first_due_at: number | null
  lane: Generated<number>
  virtual_start: number | null
  /** 1: waits for a limit of its account; 2: on hold, without an open attempt. */
  waits: Generated<number>
  /** 1: no further attempt until an operator releases the task; 2: released. */
  held: Generated<number>
  goes_behind: Generated<number>
  lease_until: number | null
  lease_fence: number
  started_at: number | null
  ended_at: number | null
  error_code: string | null
  error_message: string | null
  /** From then on no client sees the task, and its content is gone. */
  deleted_at: Generated<number | null>
  /** JSON of `MadeText`; null for tasks of media, and until it is made. */
  made_text: Generated<string | null>
  /** JSON of `Improvement`; null until the prompt was improved. */
  improvement: Generated<string | null>
}

/** A key under which a client, or this service, can find a task again. */
export interface IdempotencyKeyRow {
  task_no: number
  account_no: number
  key: string
  digest: string
}

/** An image, video or sound that an account keeps for its tasks. */
export interface AssetRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string | null
  content_type: string
  size_bytes: number
  /** Lower-case hex. */
  sha256: string
  /** Of an image or a video, as displayed; 0 for sound. */
  width: number
  height: number
  /** Null for images. */
  duration_ms: Generated<number | null>
  /** Null for images and sound. */
  frames_per_second: Generated<number | null>
  /** Codecs of the video track and the audio track, such as `avc,aac`; null for images. */
  codecs: Generated<string | null>
  /** 0 or 1. */
  has_audio: Generated<number>
  created_at: number
  /** Null while the file is being uploaded. */
  stored_at: number | null
  /** From then on no client sees it; the file stays for tasks that were accepted before. */
  deleted_at: number | null
  /** From then on the file is gone. */
  removed_at: number | null
}

/** An asset that arrives in several requests. */
export interface UploadRow {
  no: Generated<number>
  id: string
  account_no: number
  size_bytes: number
  /** The Upload-Metadata field as the client sent it. */
  metadata: string | null
  name: string | null
  /** Hash that the client announced for the whole file, lower-case hex. */
  sha256: string | null
  received_bytes: Generated<number>
  /** The stored pieces in their order: `number:bytes`, followed by a space each. */
  pieces: Generated<string>
  /** The highest number given to a piece, stored or not. */
  last_piece: Generated<number>
  created_at: number
  expires_at: number
  ended_at: Generated<number | null>
  /** The asset made of the file. Its row may be gone already. */
  asset_id: Generated<string | null>
  /** JSON: the error with which the file was refused. */
  error: Generated<string | null>
  /** From then on the pieces are gone. */
  removed_at: Generated<number | null>
}

/** Input files of a task, kept until it has ended. */
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
  /** The upstream's message; only for the operator. */
  detail: string | null
  cost: number | null
  cost_unit: string | null
  /** The operator's cost of it, micro-credits; null: unknown, or an embedded route. */
  paid: number | null
  unresolved: Unresolved | null
  closed_at: number | null
  closing: Closing | null
  closing_note: string | null
  deadline_ms: number | null
  route_pool: number | null
  upstream_pool: number | null
  holds_slot: Generated<number>
  /** 1: its submit was sent without getting a response, and its job is being looked up. */
  reply_lost: Generated<number>
  /** The fence of the lease under which it began; 0 before. */
  begun_fence: Generated<number>
}

/** Slots of an upstream or of a route to it: a `PoolState` without the counts. */
export interface SlotPoolRow {
  no: Generated<number>
  kind: 'upstream' | 'route'
  /**
   * The name of the upstream. For a route, JSON of its model, its name and its position among
   * routes of this name.
   */
  name: string
  /**
   * Digest of the destination, independent of the name. For a route, the number of its upstream's
   * pool precedes the digest.
   */
  target: string
  paused_until: Generated<number>
  unconfirmed_max: number | null
  refusals: Generated<number>
  condition: Generated<RouteCondition>
}

/**
 * Why an operator has to review an attempt: it is unknown whether it was accepted; it was paid for
 * and its result is unusable; its task ended first and it is still being polled; or it was
 * completed after its task had ended.
 */
export type Unresolved = UnresolvedReason

/** The resolution that an operator gave, or that the service found. */
export type Closing = AttemptResolution | FoundResolution

/** An entry that an operator has stored in addition to the file, in the form of the file. */
export interface StoredRouteRow {
  name: string
  /** JSON, without the name and without a credential. */
  definition: string
  created_at: number
}

export interface StoredUpstreamRow extends StoredRouteRow {
  /** Encrypted; null: none. */
  credential: string | null
}

/** A model that an operator has defined through the API. */
export interface StoredModelRow {
  id: string
  /** JSON, in the form of the file. */
  definition: string
  created_at: number
  changed_at: number
}

/** A definition that is or was in use. */
export interface ModelVersionRow {
  no: Generated<number>
  model: string
  /** Hash of the definition. */
  digest: string
  /** JSON. */
  definition: string
  created_at: number
}

/** A route snapshot: one version of a route, on which attempts were opened. */
export interface RouteSnapshotRow {
  no: Generated<number>
  digest: string
  /** JSON. */
  definition: string
  /** Encrypted; null if there is none. */
  credential: string | null
  created_at: number
  name: string | null
  upstream: string | null
}

/**
 * One immutable ledger line. The sum of `amount` is the account's balance, and the sum of `held`
 * its held credits.
 */
export interface EntryRow {
  no: Generated<number>
  account_no: number
  /** Among the account's lines, from 1. */
  position: number
  task_no: number | null
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'adjust' | 'expire'
  amount: number
  held: number
  balance_after: number
  /** Never decreases from one entry of an account to the next. */
  at: number
  note: string | null
  reference: string | null
}

/** A request for a token model. Entries name it as `task_no`, because its number is from the same series. */
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
  /** `route_snapshots.no`; -1: it was never sent. */
  route_no: number
  route_pool: number | null
  upstream_pool: number | null
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  /** 1: the upstream reported no usage. */
  is_estimated: number
  /** Micro-credits; null: unknown. */
  paid: number | null
}

/** Credits that expire: part of the account's balance. */
export interface GrantRow {
  no: Generated<number>
  account_no: number
  expires_at: number
  /** The sum of the grant's parts. */
  remaining: number
}

/** The amount that an entry has added to an expiring grant, or taken from it. */
export interface GrantPartRow {
  entry_no: number
  grant_no: number
  task_no: number | null
  amount: number
}

/** Usage and cost of ended tasks, by the day on which they were accepted. */
export interface UsageRow {
  account_no: number
  /** 0 for tasks that came without a key. */
  key_no: number
  /** Days since 1970, UTC. */
  day: number
  model: string
  /**
   * `route_snapshots.no`; 0: an embedded route; -1: no attempt was under way when the task ended.
   */
  route_no: number
  completed: number
  failed: number
  charged: number
  produced_ms: number
  /** The known payments to upstreams. */
  cost: number
  /** Attempts upstream whose cost is unknown. */
  cost_unknown: number
  /** Tokens of forwarded requests. */
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
}

/**
 * The erasure of a closed account. Its counts are written together with the removals that they
 * count.
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

/** Progress of the removal of prompts for one retention. */
export interface PromptSweepRow {
  retention: string
  swept_no: number
  /** JSON array of numbers. */
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
  /** 0: no thumbnail can be made of it; null: none was made yet. */
  thumbnail_bytes: Generated<number | null>
  thumbnail_sha256: Generated<string | null>
  spritesheet_bytes: Generated<number | null>
  spritesheet_sha256: Generated<string | null>
  /** Until then one process is making a preview of it. */
  previews_until: Generated<number | null>
}

/** One change through the operator's interface; `before` and `after` are JSON. */
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

/** A change that webhooks or streams of the account receive. */
export interface EventRow {
  no: Generated<number>
  account_no: number
  type: RecordedEventType
  task_no: number | null
  /** Of an event without a task; the id of any other follows from its task and type. */
  id: string | null
  at: number
  /** Among the events of its account, from 1; null until it is distributed. */
  position: Generated<number | null>
}

/** The events that are recorded for an account, as bits of `event-types.ts`. */
export interface EventSubscriberRow {
  account_no: number
  types: number
}

export interface EventFeedRow {
  account_no: number
  last_position: Generated<number>
  /** Until then events are recorded for streams of the account. */
  open_until: Generated<number>
}

/**
 * A webhook of an account; or all addresses of one origin that its tasks name (kind `task`), whose
 * `url` is that origin.
 */
export interface WebhookEndpointRow {
  no: Generated<number>
  id: string
  account_no: number
  kind: 'account' | 'task'
  url: string
  description: string
  /** Bits of `event-types.ts`. */
  types: number
  format: WebhookFormat
  /** 0 or 1. */
  enabled: Generated<number>
  disabled_reason: Generated<WebhookDisabledReason | null>
  /** Deliveries per second. */
  rate_limit: number | null
  /** Encrypted; null for the kind `task`. */
  secret: string | null
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
  deleted_at: Generated<number | null>
  /** When a worker has to look at its deliveries; null: there are none to send. */
  due_at: Generated<number | null>
  /** Consecutive failures. */
  failures: Generated<number>
  /** 1: there are failures. */
  is_failing: Generated<number>
  /** Time of the first of them. */
  failing_since: Generated<number | null>
  paused_until: Generated<number>
  lease_until: Generated<number | null>
  lease_fence: Generated<number>
}

/** Secret of an account for the addresses that its tasks name, encrypted. */
export interface WebhookSecretRow {
  account_no: number
  secret: string
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
}

/** The address that a task names, until its end is distributed. */
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
  /** For an endpoint of the kind `task`; null: the address of the endpoint. */
  url: string | null
  status: Generated<WebhookDeliveryStatus>
  attempts: Generated<number>
  /** Attempts of the current schedule. */
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
  /** The beginning of the response. */
  response_body: string | null
}
