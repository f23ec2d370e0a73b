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
 * Every error that the client throws. One exception: an aborted call rejects with the reason of its
 * signal, as `fetch` does. Test `code`, never `message`.
 */
export class FramegateError extends Error {
  override readonly name = 'FramegateError'
  /** HTTP status; null if the error is not a response of the service. */
  readonly status: number | null
  readonly code: ErrorCode | FailureCode | ClientErrorCode | (string & {})
  /** The invalid field, if the error concerns one. */
  readonly param: string | null
  /** Id to quote when you contact the operator; null if there was no response. */
  readonly requestId: string | null
  /** Every violation of a refused request; empty if this is the only one. */
  readonly errors: readonly Violation[]
  /** Pause that the service asks for before the next request. */
  readonly retryAfterSeconds: number | null
  /** The task that failed, or that still runs after a wait. */
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

/** The error for a failed task. */
export function taskFailure(task: Task): FramegateError {
  const code = task.error_code ?? 'task_failed'
  return new FramegateError({ code, message: `The task ${task.id} failed: ${task.error ?? code}`, task })
}
