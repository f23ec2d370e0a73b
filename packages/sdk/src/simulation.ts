import type { FailureCode } from './error-codes.ts'

/**
 * Scripted course of a task, for testing your program. A service in production mode rejects this
 * field.
 */
export interface Simulation {
  /** The submit fails with this error code, and no task is created. */
  refuse_with?: SimulatedRefusal
  /** The task is created, but the connection breaks before the response. */
  lose_answer?: boolean
  /** Time in `queued` in whole seconds, 0 to 3600. */
  queued_seconds?: number
  /** Minimum time in `processing` in whole seconds, 0 to 3600. */
  seconds?: number
  /** Outcome of the task. With `stuck`, the task runs until its deadline. */
  outcome?: 'completed' | 'stuck' | Exclude<FailureCode, 'cancelled'>
  /** Deadline in whole seconds, 1 to 3600, in place of the deadline of the model. */
  deadline_seconds?: number
  /** Validity of each `result_url` in whole seconds, 0 to 86400. */
  result_url_seconds?: number
  /** Retention of the result in whole seconds, 0 to 86400. */
  retention_seconds?: number
  /** Transfer rate of the download in bytes per second. */
  download_bytes_per_second?: number
  /** Number of bytes after which each download breaks off. */
  download_breaks_after_bytes?: number
}

type SimulatedRefusal =
  | 'reference_unreachable'
  | 'invalid_api_key'
  | 'insufficient_credits'
  | 'brand_model_missing'
  | 'account_suspended'
  | 'idempotency_key_reused'
  | 'spending_limit_reached'
  | 'max_amount_exceeded'
  | 'rate_limited'
  | 'too_many_tasks_in_flight'
  | 'internal_error'
  | 'overloaded'
  | 'no_route'
