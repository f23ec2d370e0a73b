import { errorCodes, type ErrorCode, type Violation } from '@framegate/contract'

export interface AppErrorOptions extends ErrorOptions {
  /** The invalid field, as the client wrote it. */
  param?: string
  /** Every violation found, each with a JSON Pointer. */
  errors?: Violation[]
  /** Headers that belong to this refusal, such as Retry-After. */
  headers?: Record<string, string>
}

/**
 * A refusal with a stable code. Only `http/` gives it a status and a body. The message is for the
 * client.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly param: string | null
  readonly errors: Violation[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.param = options.param ?? null
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}
