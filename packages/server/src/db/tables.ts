import type { Generated } from 'kysely'
import type {
  BrandRow,
  BrandLogoRow,
  BrandModelRow,
  AccountRow,
  ApiKeyRow,
  ApiKeySecretRow,
  ConsoleSessionRow,
  ErasureRow,
} from './tables/account-tables.ts'
import type { AssetRow, UploadRow } from './tables/asset-tables.ts'
import type {
  EventRow,
  EventSubscriberRow,
  EventFeedRow,
  WebhookEndpointRow,
  WebhookSecretRow,
  TaskWebhookRow,
  WebhookDeliveryRow,
  WebhookAttemptRow,
} from './tables/event-tables.ts'
import type { PriceRow, EntryRow, ForwardedRequestRow, GrantRow, GrantPartRow, UsageRow } from './tables/ledger-tables.ts'
import type {
  SlotPoolRow,
  StoredRouteRow,
  StoredUpstreamRow,
  StoredModelRow,
  ModelVersionRow,
  RouteSnapshotRow,
} from './tables/routing-tables.ts'
import type {
  TaskRow,
  IdempotencyKeyRow,
  TaskImagesRow,
  TaskAssetRow,
  AttemptRow,
  ResultRow,
  PromptSweepRow,
  PromptLeftRow,
} from './tables/task-tables.ts'

/**
 * Rows as SQLite and PostgreSQL store them. Times (Unix milliseconds) and amounts (micro-credits)
 * are 64-bit integers. JSON is text.
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
  /** The views `all_…` also contain the past tasks of PostgreSQL (migration 0025). */
  all_tasks: TaskRow
  all_task_attempts: AttemptRow
  all_results: ResultRow
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

/** A counter that rises with every change for which `ChangeFeed.onConfigChanged` notifies. */
export interface ConfigVersionRow {
  version: number
}

/** One action through the operator API. `before` and `after` are JSON. */
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
