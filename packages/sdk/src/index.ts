export type { Asset } from './asset.ts'
export type { AssetListOptions, Assets, DeletedAsset, NewAsset } from './assets.ts'
export type { RequestOptions, Retry } from './call-options.ts'
export type { Balance, CreditEntry, CreditEntryKind, CreditEntryListOptions, Credits } from './credits.ts'
export type { ResultPath, SaveAllOptions } from './save-all.ts'
export type { Download, DownloadOptions, DownloadProgress, SaveOptions } from './download.ts'
export type { ClientErrorCode, ErrorCode, FailureCode } from './error-codes.ts'
export { FramegateError, type Violation } from './framegate-error.ts'
export { Framegate, type AnyCall, type FramegateOptions } from './framegate.ts'
export type {
  Capability,
  Model,
  ModelListOptions,
  ModelPrice,
  Models,
  ModelType,
  ParameterReference,
  ParameterSchema,
  PriceRounding,
} from './models.ts'
export type { KnownModel, ParametersByModel } from './model-parameters.ts'
export type { Logger } from './log-requests.ts'
export type { MediaInput } from './media-inputs.ts'
export type { Page } from './page.ts'
export type { AssetCreateOptions, ResumableUpload, UploadProgress } from './resumable-upload.ts'
export type { Simulation } from './simulation.ts'
export type { CompletedTask, DeletedTask, DeletedTasks, Quote, Task, TaskResult, TaskStatus, Timeline } from './task.ts'
export type { AnyModel, OtherParameters, TaskRequest } from './task-request.ts'
export type {
  CreateAndWaitOptions,
  CreateOptions,
  GetOptions,
  TaskDeletionOptions,
  TaskListOptions,
  Tasks,
  WaitOptions,
} from './tasks.ts'
export type { Usage, UsageCounts, UsageDimension, UsageOptions, UsageReport, UsageRow } from './usage.ts'
export { unwrapWebhook, type WebhookHeaders } from './unwrap-webhook.ts'
export type {
  DeletedWebhook,
  EventType,
  FramegateEvent,
  IssuedWebhook,
  RecordedEventType,
  ResentDeliveries,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookFormat,
  WebhookSecret,
} from './webhook.ts'
export type { DeliveryListOptions, NewWebhook, WebhookChange, WebhookListOptions, WebhookOrTasks, Webhooks } from './webhooks.ts'
export type { EventStreamOptions, Events, StreamedEvent } from './events.ts'
export type { StreamOptions } from './follow-stream.ts'
