import type { ClientErrorCode, ErrorCode, FailureCode } from './error-codes.ts'
import type { Task } from './task.ts'

/** One violation in the body of a request. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the body. */
  pointer: string
  code: string
  message: string
}

export interface FramegateErrorFields {
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
 * The class of errors that the client throws, with two exceptions. An aborted call rejects with the
 * reason of its signal, like `fetch`. A call that cannot write a file rejects with the error of the
 * file system. Programs should use `code`, never `message`.
 */
export class FramegateError extends Error {
  override readonly name = 'FramegateError'
  /** HTTP status of the response. Null if the error does not come from a response. */
  readonly status: number | null
  readonly code: ErrorCode | FailureCode | ClientErrorCode | (string & {})
  /** The invalid field or option; null if the error concerns none. */
  readonly param: string | null
  /** Id of the request, for questions to the operator; null if it is unknown. */
  readonly requestId: string | null
  /** All violations in the body of the request. Empty if the response lists none. */
  readonly errors: readonly Violation[]
  /**
   * Delay in seconds before the next request, as requested by the service; null if it requests
   * none.
   */
  readonly retryAfterSeconds: number | null
  /** The task that the error concerns, for example the failed one. Null if it is unknown. */
  readonly task: Task | null

  constructor(fields: FramegateErrorFields) {
    super(fields.message, fields)
    this.status = fields.status ?? null
    this.code = fields.code
    this.param = fields.param ?? null
    this.requestId = fields.requestId ?? null
    this.errors = fields.errors ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
    this.task = fields.task ?? null
  }
}

/** Creates the error for a failed task. */
export function taskFailure(task: Task): FramegateError {
  const code = task.error_code ?? 'task_failed'
  return new FramegateError({ code, message: `The task ${task.id} failed: ${task.error ?? code}`, task })
}

/** Creates the error for a response or an event that does not come from a Framegate server. */
export function notFromService(response?: Response): FramegateError {
  return new FramegateError({
    status: response?.status,
    code: 'unexpected_answer',
    message: 'The response is not from a Framegate server. Check the base URL and any proxy.',
    requestId: response?.headers.get('x-request-id'),
  })
}
