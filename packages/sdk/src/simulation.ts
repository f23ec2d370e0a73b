import type { FailureCode } from './error-codes.ts'

/**
 * Scripts the course of a task, to test a program against it. A service in production mode refuses
 * this field.
 */
export interface Simulation {
  /** The submit is refused with this error, and no task is created. */
  refuse_with?: SimulatedRefusal
  /** The task is accepted, but the connection breaks instead of a response. */
  lose_answer?: boolean
  /** Time in `queued`, 0 to 3600. */
  queued_seconds?: number
  /** Time in `processing`, 0 to 3600. */
  seconds?: number
  /** How the task ends. `stuck` runs until its deadline. */
  outcome?: 'completed' | 'stuck' | Exclude<FailureCode, 'cancelled'>
  /** Time limit for processing, 1 to 3600, instead of the model's own. */
  deadline_seconds?: number
  /** Validity of each `result_url`, 0 to 86400. */
  result_url_seconds?: number
  /** How long the result is kept, 0 to 86400. */
  retention_seconds?: number
  /** Transfer rate of the result. */
  download_bytes_per_second?: number
  /** Each download breaks after this many bytes. */
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
