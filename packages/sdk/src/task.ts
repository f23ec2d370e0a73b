import type { FailureCode } from './error-codes.ts'

/** Stop waiting at `completed` or `failed`: a task that has ended never changes again. */
export type TaskStatus = 'queued' | 'processing' | 'completed' | 'failed'

/** A task, exactly as the service answers it. Times are Unix seconds, amounts are credits. */
export interface Task {
  /** `task_` and 32 hexadecimal digits, sortable by time. */
  id: string
  /** What is made. */
  object: 'image' | 'video'
  /** When the task was accepted. */
  created: number
  /** Model ID as requested. */
  model: string
  status: TaskStatus
  /** 0 to 100. Never falls; 100 only when completed. */
  progress: number
  /** Signed and expiring: download promptly. Only when completed. */
  result_url?: string
  /** The same address, for images. */
  image_url?: string
  /** The same address, for videos. */
  video_url?: string
  /** When `result_url` stops working. `tasks.get` makes a fresh one. */
  expires_at?: number
  /** Instead of an address once the file is no longer kept. */
  result_expired?: true
  /** Credits: held until the task ends, then what was charged. 0 when failed. */
  amount: number
  /** Seconds of the produced video, measured from the file. Null for images and until completed. */
  actualDuration: number | null
  /** A sentence for a person when failed. */
  error: string | null
  /** Why it failed, for programs. */
  error_code?: FailureCode
  /** The seed that was given or chosen. */
  seed?: number
  started?: number
  /** When it ended. */
  completed?: number
  /** In lists: the first hundred characters of the prompt, and `…` when there are more. */
  prompt?: string
  /**
   * The request without `model`, with defaults filled in. Of a data URI only `content_type`, `size_bytes` and `sha256`. Not in the response
   * to `create`; in lists with `view: 'full'`.
   */
  parameters?: Record<string, unknown>
}

export type CompletedTask = Task & { status: 'completed' }

/** What has happened to a task and to the credits held for it, in order. */
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
      /** The last event of a task that waits, as of this response. */
      | 'waiting'
    /** Unix seconds, to the millisecond. */
    at: number
    /** Credits that were held, charged or released. */
    amount?: number
    /** Which attempt, counting from 1. */
    attempt?: number
    /** Where the attempt was made, as the operator calls it. */
    route?: string
    /** Of an ended attempt; `not_accepted`: the upstream did not take it on, and nothing was started. */
    outcome?: 'succeeded' | 'failed' | 'not_accepted'
    /** Why the task failed, for programs. */
    error_code?: FailureCode
    /** Why it failed, or why credits were released, for people. */
    reason?: string
    /** What a waiting task waits for. */
    for?: 'free_slot' | 'provider_throttled' | 'provider_unavailable' | 'account_limit' | 'delay' | 'start' | 'operator'
    /** When a waiting task is tried next, Unix seconds; left out while that is unknown. */
    next_try?: number
    /** The routes that can serve a waiting task; only for keys of the operator. */
    routes?: {
      route: string
      upstream: string
      condition: 'open' | 'throttled' | 'unavailable' | 'out_of_order'
      /** When its pause ends, Unix seconds. */
      until: number | null
    }[]
  }[]
}

export interface DeletedTask {
  id: string
  object: 'task'
  deleted: true
}

/** What one request of a deletion of many has done. */
export interface DeletedTasks {
  object: 'deleted_tasks'
  /** How many tasks were deleted. */
  deleted: number
  /** Whether more tasks pass the filters. */
  has_more: boolean
  /** Where the next request goes on; null when there are no more. */
  next_cursor: string | null
}

/** What a task would cost. */
export interface Quote {
  object: 'quote'
  model: string
  /** Credits that creating the task would hold. */
  amount: number
  /** Whether this account could create it now. */
  available: boolean
  /** The error code that creating it would be refused with; null when available. */
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
