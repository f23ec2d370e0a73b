export type { Account, AdminBrand, AdminBrandModel, AdminGrant, ApiKey, AuditEntry, IssuedApiKey } from './admin.ts'
export type { LogEntry } from './admin-log.ts'
export type { AdminModelDefinition } from './admin-models.ts'
export * from './admin-model-requests.ts'
export * from './admin-import-requests.ts'
export type { AdminModelImport, AdminModelPack } from './admin-imports.ts'
export type { AdminAttempt } from './admin-attempts.ts'
export type { HeldTaskView } from './admin-held-tasks.ts'
export type { OperatorWebhook, Overview } from './admin-overview.ts'
export type { PriceChange, PriceInForce, PriceLineView, PriceSimulation } from './admin-prices.ts'
export * from './admin-requests.ts'
export type { AdminRoute, AdminUpstream, RouteExplanation, RouteTest } from './admin-routing.ts'
export * from './admin-routing-requests.ts'
export type { UsageOfAll } from './admin-usage.ts'
export type { Asset, DeletedAsset, ResumableUpload } from './asset.ts'
export { assetImportBody, assetNameCharactersMax, uploadMetadataCharactersMax, type AssetImportBody } from './asset-requests.ts'
export * from './canonical-names.ts'
export * from './config-file-limits.ts'
export type { DeletedTask, DeletedTasks, Erasure } from './deletion.ts'
export type { CreditEntry, Credits, CreditsCheck } from './credits.ts'
export * from './dimensions.ts'
export type { ErrorBody, Violation } from './error-body.ts'
export * from './errors.ts'
export * from './event-types.ts'
export type { List } from './list.ts'
export { describeInputPrice } from './describe-input-price.ts'
export type { Capability, Model, ParameterSchema, CommonPriceFields, ShownInputLimits, ShownPrice } from './model.ts'
export * from './mcp-tools.ts'
export * from './parameters.ts'
export * from './simulation.ts'
export * from './status.ts'
export type { Quote, Task, VideoTask } from './task.ts'
export type { UsageReport } from './usage.ts'
export { routeConditions, type RouteCondition } from './route-condition.ts'
export type { Timeline, TimelineEvent, WaitReason } from './timeline.ts'
export type {
  CreditAlert,
  DeletedWebhook,
  IssuedWebhook,
  ResentDeliveries,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret,
} from './webhook.ts'
export * from './webhook-requests.ts'
