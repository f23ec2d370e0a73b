import type { FailureCode } from './error-codes.ts'

/** What is to happen to a task, to try a program against it. A service in production mode refuses the field. */
export interface Simulation {
  /** The request is answered with this error, and nothing is made. */
  refuse_with?: SimulatedRefusal
  /** The task is accepted and the connection breaks instead of an answer. */
  lose_answer?: boolean
  /** Stays queued for so long, 0 to 3600. */
  queued_seconds?: number
  /** Is processing for so long, 0 to 3600. */
  seconds?: number
  /** How it ends; `stuck` runs until its deadline. */
  outcome?: 'completed' | 'stuck' | Exclude<FailureCode, 'cancelled'>
  /** How long processing may take, 1 to 3600, instead of the model's own limit. */
  deadline_seconds?: number
  /** Each `result_url` works for so long, 0 to 86400. */
  result_url_seconds?: number
  /** The result is kept for so long, 0 to 86400. */
  retention_seconds?: number
  /** How fast the result is sent. */
  download_bytes_per_second?: number
  /** The connection breaks after so many bytes of each download. */
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
