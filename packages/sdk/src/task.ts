import type { FailureCode } from './error-codes.ts'

/** Status of a task. A task that is `completed` or `failed` never changes, so stop polling. */
export type TaskStatus = 'queued' | 'processing' | 'completed' | 'failed'

/** A task, with the fields of the HTTP API. Times are Unix seconds, amounts are credits. */
export interface Task {
  /** `task_` and 32 hexadecimal digits, sortable by time. */
  id: string
  /** The kind of result. */
  object: 'image' | 'video' | 'text'
  /** Time at which the task was accepted. */
  created: number
  /** The Model ID of the request. */
  model: string
  status: TaskStatus
  /** Progress in percent. It never decreases, and is 100 only when the task is completed. */
  progress: number
  /**
   * Signed, expiring link to the first result. Present only while the task is completed and its
   * results exist.
   */
  result_url?: string
  /** Same as `result_url`, for images. */
  image_url?: string
  /** Same as `result_url`, for videos. */
  video_url?: string
  /** Signed, expiring URL of a small WebP image. Absent if no thumbnail can be generated. */
  thumbnail_url?: string
  /** Same as `result_url`, for texts. */
  text_url?: string
  /** Expiry of `result_url`. Each call of `tasks.get` returns a new link. */
  expires_at?: number
  /** All results. Present together with `result_url`, which links to the first result. */
  results?: TaskResult[]
  /** The result of a text task, present when `result_url` is. In lists only with `view: 'full'`. */
  text?: string
  /** Set if the service wrote the text itself, without a language model. */
  engine?: 'embedded'
  /**
   * The improved prompt, if the request has `improve_prompt`. Null if the prompt could not be
   * improved. In lists only with `view: 'full'`.
   */
  improved_prompt?: string | null
  /** Set after the files of the results were removed. The links are then absent. */
  result_expired?: true
  /** Credits held for the task; after the task has ended, the charged credits. 0 if it failed. */
  amount: number
  /**
   * Total duration of the generated videos in seconds, measured in the files. Null for images and
   * texts, and for tasks that are not completed.
   */
  actualDuration: number | null
  /** Human-readable reason for the failure; null if the task has not failed. */
  error: string | null
  /** Machine-readable reason for the failure. */
  error_code?: FailureCode
  /**
   * The seed of the request. If the request had none, the seed that was used; absent until the task
   * is completed.
   */
  seed?: number
  started?: number
  /** Time at which the task completed or failed. */
  completed?: number
  /**
   * Only in lists: the first 100 characters of the prompt, followed by `…` if the prompt is longer.
   */
  prompt?: string
  /**
   * The request without `model`, including defaults. Data URIs are replaced with their
   * `content_type`, `size_bytes` and `sha256`. Absent in the response to `create`, and in lists
   * without `view: 'full'`.
   */
  parameters?: Record<string, unknown>
}

/** One file of a completed task. */
export interface TaskResult {
  /** Signed link to this file, which expires. */
  url: string
  /** Signed, expiring URL of a small WebP image. Absent if no thumbnail can be generated. */
  thumbnail_url?: string
  /** Media type, such as `image/png`. */
  type: string
  /** Width in pixels; 0 for a text. */
  width: number
  /** Height in pixels; 0 for a text. */
  height: number
  /** Length of a video in seconds, measured in the file. Null for an image or a text. */
  seconds: number | null
  /** Size of the file in bytes. */
  bytes: number
  /** The seed of this result. Absent if the provider does not report it. */
  seed?: number
}

export type CompletedTask = Task & { status: 'completed' }

/**
 * The events of a task and of the credits held for it, in chronological order. An attempt is one
 * try at the task on one route, which is the operator's assignment of the model to a provider.
 */
export interface Timeline {
  object: 'timeline'
  task: string
  events: {
    event:
      | 'accepted'
      | 'held'
      | 'attempt_started'
      | 'attempt_ended'
      | 'completed'
      | 'failed'
      | 'charged'
      | 'released'
      /** Always the last event: the task is waiting at the time of the response. */
      | 'waiting'
    /** Time in Unix seconds, with milliseconds as decimals. */
    at: number
    /** Held, charged or released credits. */
    amount?: number
    /** Number of the attempt, counted from 1. */
    attempt?: number
    /** Name of the route that the attempt uses. */
    route?: string
    /**
     * Outcome of an ended attempt. `not_accepted`: the upstream did not accept the submit, and no
     * job was started.
     */
    outcome?: 'succeeded' | 'failed' | 'not_accepted'
    /** Machine-readable reason for the failure. */
    error_code?: FailureCode
    /** Human-readable reason why the task failed or credits were released. */
    reason?: string
    /** What a waiting task is waiting for. */
    for?: 'free_slot' | 'provider_throttled' | 'provider_unavailable' | 'account_limit' | 'delay' | 'start' | 'operator'
    /**
     * Time of the next attempt to start a waiting task, Unix seconds. Absent while it is unknown.
     */
    next_try?: number
    /** The routes that can serve a waiting task. Present only for operator keys. */
    routes?: {
      route: string
      upstream: string
      condition: 'open' | 'throttled' | 'unavailable' | 'out_of_order'
      /** End of the pause of the route, Unix seconds; null if there is no pause. */
      until: number | null
    }[]
  }[]
}

export interface DeletedTask {
  id: string
  object: 'task'
  deleted: true
}

/** Response to a request that deletes many tasks. */
export interface DeletedTasks {
  object: 'deleted_tasks'
  /** Number of deleted tasks. */
  deleted: number
  /** Whether more tasks match the filters. */
  has_more: boolean
  /** Cursor for the next request; null if no more tasks match. */
  next_cursor: string | null
}

/** Price of a task. */
export interface Quote {
  object: 'quote'
  model: string
  /** Credits that the task would hold. */
  amount: number
  /** Whether the task would be accepted now. */
  available: boolean
  /** The error code that the task would get; null if it would be accepted. */
  reason:
    | 'brand_model_missing'
    | 'key_scope_missing'
    | 'max_amount_exceeded'
    | 'spending_limit_reached'
    | 'insufficient_credits'
    | 'too_many_tasks_in_flight'
    | 'no_route'
    | null
  /** The parameters of the request, including defaults. */
  parameters: Record<string, unknown>
}
