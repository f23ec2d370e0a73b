import type { ErrorBody, Violation } from '@framegate/contract'

/** Error of a failed request: the error response, or the reason why there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status. 0 if there was no response. */
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly violations: readonly Violation[]
  readonly requestId: string | null

  constructor(status: number, error: Partial<Omit<ErrorBody['error'], 'code'>> & { code: string; message: string }) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.param = error.param ?? null
    this.violations = error.errors ?? []
    this.requestId = error.request_id ?? null
  }
}

export async function readError(response: Response): Promise<ApiError> {
  const fallback = { code: 'unexpected_response', message: `${response.status} ${response.statusText}` }
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  return new ApiError(response.status, { ...fallback, ...body?.error })
}

/**
 * Whether the request may have been executed although it failed: its response was lost, or has a
 * status of 500 or above.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/**
 * Converts an error to one that a page can show. Any error that is not from the API is a bug in the
 * console.
 */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, { code: 'internal', message: String(error) })
}
