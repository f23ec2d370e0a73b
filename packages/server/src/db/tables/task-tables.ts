import type { AttemptResolution, ServiceResolution, TaskObject, UnresolvedReason } from '@framegate/contract'
import type { Generated } from 'kysely'

export interface TaskRow {
  /**
   * The task's number: milliseconds since 2020 and the counter of its UUIDv7
   * (`identity/task-id.ts`).
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
   * 1: the task waits until a limit of its key, account or brand allows it. 2: the task is on hold
   * and has no open attempt.
   */
  waits: Generated<number>
  /**
   * 1: the task makes no further attempt until an operator releases it. 2: an operator released it.
   */
  held: Generated<number>
  /** 1: when the task is due, it moves behind some other tasks of its lane. */
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
   * JSON of `GeneratedText`. Null: the task has no text, the text is not written yet, or it was
   * removed with its file. Spaces: the text was erased together with the prompt or the task.
   */
  made_text: Generated<string | null>
  /** JSON of `Improvement`. Null until the improvement of the prompt has begun. */
  improvement: Generated<string | null>
}

/**
 * The idempotency key that a client sent, or a key that the service generated to detect retries.
 */
export interface IdempotencyKeyRow {
  task_no: number
  account_no: number
  key: string
  digest: string
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
 * The reason why an operator has to review an attempt:
 *
 * - it is unknown whether an upstream accepted the attempt
 * - the attempt was paid for, and its result is unusable
 * - the task ended before the job of the attempt did, and the service still polls the job
 * - the job was completed after the task had ended
 */
export type Unresolved = UnresolvedReason

/** The result of the review of an attempt, by an operator or by the service itself. */
export type Closing = AttemptResolution | ServiceResolution

/** Progress of the sweep that removes prompts, one row for each retention period. */
export interface PromptSweepRow {
  retention: string
  /**
   * The sweep has passed all tasks below this number. Those whose prompt was not due are in
   * `prompts_left`.
   */
  swept_no: number
  /** JSON array of the numbers of the brands. */
  brands: string
}

/** A task that the sweep has passed before its prompt was due. */
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
  /** 0: no thumbnail can be created from this result. Null: none was created yet. */
  thumbnail_bytes: Generated<number | null>
  thumbnail_sha256: Generated<string | null>
  spritesheet_bytes: Generated<number | null>
  spritesheet_sha256: Generated<string | null>
  /** End of the time for which one process has reserved the work on a preview of this result. */
  previews_until: Generated<number | null>
}
