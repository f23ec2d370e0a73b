import type { ClientErrorCode, ErrorCode, FailureCode } from './error-codes.ts'
import type { Task } from './task.ts'

/** One violation in a request. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the request. */
  pointer: string
  code: string
  message: string
}

export interface FramegateErrorFacts {
  code: FramegateError['code']
  message: string
  status?: number | undefined
  param?: string | null | undefined
  errors?: Violation[] | undefined
  requestId?: string | null | undefined
  retryAfterSeconds?: number | null | undefined
  task?: Task | undefined
  cause?: unknown
}

/**
 * The class of all errors that the client throws, except that an aborted call rejects with the
 * reason of its signal, like `fetch`. Programs should use `code`, never `message`.
 */
export class FramegateError extends Error {
  override readonly name = 'FramegateError'
  /** HTTP status. Null if the error is not a response of the service. */
  readonly status: number | null
  readonly code: ErrorCode | FailureCode | ClientErrorCode | (string & {})
  /** The invalid field, if the error concerns one. */
  readonly param: string | null
  /** Id of the request, for questions to the operator; null if there was no response. */
  readonly requestId: string | null
  /** All violations in an invalid request. Empty if there is only this error. */
  readonly errors: readonly Violation[]
  /**
   * Delay in seconds before the next request, as requested by the service; null if it requests
   * none.
   */
  readonly retryAfterSeconds: number | null
  /**
   * The task that failed, or that is still running after `wait_timed_out`; null for other errors.
   */
  readonly task: Task | null

  constructor(facts: FramegateErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.status = facts.status ?? null
    this.code = facts.code
    this.param = facts.param ?? null
    this.requestId = facts.requestId ?? null
    this.errors = facts.errors ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.task = facts.task ?? null
  }
}

/** Creates the error for a failed task. */
export function taskFailure(task: Task): FramegateError {
  const code = task.error_code ?? 'task_failed'
  return new FramegateError({ code, message: `The task ${task.id} failed: ${task.error ?? code}`, task })
}
