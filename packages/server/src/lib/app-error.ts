import { errorCodes, type ErrorCode, type Violation } from '@framegate/contract'

export interface AppErrorOptions extends ErrorOptions {
  /** The invalid field, as the client wrote it. */
  param?: string
  /** All violations, with their JSON Pointers. */
  errors?: Violation[]
  /** Additional headers of the response, such as Retry-After. */
  headers?: Record<string, string>
}

/** An error for the client, with a stable code and a message. `http/` converts it to a response. */
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
