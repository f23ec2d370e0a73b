import type { FailureCode } from './error-codes.ts'

/** Stop polling at `completed` or `failed`: a task that has ended never changes again. */
export type TaskStatus = 'queued' | 'processing' | 'completed' | 'failed'

/** A task, exactly as in responses of the service. Times are Unix seconds, amounts are credits. */
export interface Task {
  /** `task_` and 32 hexadecimal digits, sortable by time. */
  id: string
  /** The kind of result. */
  object: 'image' | 'video' | 'text'
  /** When the task was accepted. */
  created: number
  /** The Model ID of the request. */
  model: string
  status: TaskStatus
  /** 0 to 100. Never decreases; 100 only when completed. */
  progress: number
  /** Signed, expiring URL: download promptly. Only when completed. */
  result_url?: string
  /** The same URL, for images. */
  image_url?: string
  /** The same URL, for videos. */
  video_url?: string
  /** Signed, expiring URL of a small WebP image. Absent if no thumbnail can be made. */
  thumbnail_url?: string
  /** The same URL, for texts. */
  text_url?: string
  /** When `result_url` expires. `tasks.get` returns a new one. */
  expires_at?: number
  /** All results, present when `result_url` is; the first is the one of `result_url`. */
  results?: TaskResult[]
  /** The result of a text task, present when `result_url` is. In lists only with `view: 'full'`. */
  text?: string
  /** Set if the service wrote the text itself, without a language model. */
  engine?: 'embedded'
  /**
   * The prompt that the result is made from, if the request has `improve_prompt`. Null if the prompt
   * could not be improved. In lists only with `view: 'full'`.
   */
  improved_prompt?: string | null
  /** Replaces the URLs once the files are no longer kept. */
  result_expired?: true
  /** Held credits until the task ends, then the charged credits. 0 when failed. */
  amount: number
  /**
   * Duration of the produced video in seconds, measured from the file; of several videos, the sum.
   * Null for images, for texts and until completed.
   */
  actualDuration: number | null
  /** For people: why the task failed. */
  error: string | null
  /** For programs: why the task failed. */
  error_code?: FailureCode
  /** The given or chosen seed. */
  seed?: number
  started?: number
  /** When the task ended. */
  completed?: number
  /** In lists: the first 100 characters of the prompt, with `…` if there are more. */
  prompt?: string
  /**
   * The request without `model`, with defaults filled in. A data URI is reduced to `content_type`,
   * `size_bytes` and `sha256`. Absent from the response to `create`. In lists only with
   * `view: 'full'`.
   */
  parameters?: Record<string, unknown>
}

/** One file of a completed task. */
export interface TaskResult {
  /** Signed, expiring URL of this file. */
  url: string
  /** Signed, expiring URL of a small WebP image. Absent if no thumbnail can be made. */
  thumbnail_url?: string
  /** For example `image/png`. */
  type: string
  /** Pixels; 0 for a text. */
  width: number
  /** Pixels; 0 for a text. */
  height: number
  /** Length of a video, measured from the file. Null for an image or a text. */
  seconds: number | null
  /** Size of the file. */
  bytes: number
  /** The seed that it was made with, if it was chosen. */
  seed?: number
}

export type CompletedTask = Task & { status: 'completed' }

/** History of a task and of the credits held for it, in order. */
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
      /** The last event of a waiting task, as of this response. */
      | 'waiting'
    /** Unix seconds with millisecond precision. */
    at: number
    /** Held, charged or released credits. */
    amount?: number
    /** Number of the attempt, counting from 1. */
    attempt?: number
    /** The operator's name for the route of the attempt. */
    route?: string
    /**
     * Outcome of an ended attempt. `not_accepted`: the upstream did not accept it, and nothing was
     * started.
     */
    outcome?: 'succeeded' | 'failed' | 'not_accepted'
    /** For programs: why the task failed. */
    error_code?: FailureCode
    /** For people: why the task failed, or why credits were released. */
    reason?: string
    /** The reason why a waiting task waits. */
    for?: 'free_slot' | 'provider_throttled' | 'provider_unavailable' | 'account_limit' | 'delay' | 'start' | 'operator'
    /** When a waiting task is tried next, in Unix seconds; absent if unknown. */
    next_try?: number
    /** The routes that can serve a waiting task. Only for operator keys. */
    routes?: {
      route: string
      upstream: string
      condition: 'open' | 'throttled' | 'unavailable' | 'out_of_order'
      /** When the pause of the route ends, in Unix seconds. */
      until: number | null
    }[]
  }[]
}

export interface DeletedTask {
  id: string
  object: 'task'
  deleted: true
}

/** Result of one request that deletes many tasks. */
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
  /** Credits that creating the task would hold. */
  amount: number
  /** Whether this account could create the task now. */
  available: boolean
  /** Error code that creating the task would return; null when available. */
  reason:
    | 'brand_model_missing'
    | 'key_scope_missing'
    | 'max_amount_exceeded'
    | 'spending_limit_reached'
    | 'insufficient_credits'
    | 'too_many_tasks_in_flight'
    | 'no_route'
    | null
  /** The request's parameters with every default filled in. */
  parameters: Record<string, unknown>
}
