import type { ClientErrorCode, ErrorCode, FailureCode } from './error-codes.ts'
import type { Task } from './task.ts'

/** One thing wrong with a request. */
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
 * Everything that goes wrong, but for one: an aborted call rejects with the reason of its signal, as `fetch` does.
 * Decide by `code`, never by `message`.
 */
export class FramegateError extends Error {
  override readonly name = 'FramegateError'
  /** HTTP status; null when the service did not answer with an error. */
  readonly status: number | null
  readonly code: ErrorCode | FailureCode | ClientErrorCode | (string & {})
  /** The field at fault, where it is one. */
  readonly param: string | null
  /** Quote it when you ask the operator; null when no answer came. */
  readonly requestId: string | null
  /** Every fault of a refused request; empty when there is only this one. */
  readonly errors: readonly Violation[]
  /** How long the service asks to be left alone. */
  readonly retryAfterSeconds: number | null
  /** The task that failed, or that is still running after a wait. */
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

/** The error that stands for a failed task. */
export function taskFailure(task: Task): FramegateError {
  const code = task.error_code ?? 'task_failed'
  return new FramegateError({ code, message: `The task ${task.id} failed: ${task.error ?? code}`, task })
}
