import type { ErrorBody, Violation } from '@framegate/contract'

/** The response of a request that failed, or the reason why there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0: there was no response. */
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

export async function errorOf(response: Response): Promise<ApiError> {
  const fallback = { code: 'unexpected_response', message: `${response.status} ${response.statusText}` }
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null
  return new ApiError(response.status, { ...fallback, ...body?.error })
}

/** Returns an error that a page can show. Any error other than one of the API is a bug of the console. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, { code: 'internal', message: String(error) })
}
