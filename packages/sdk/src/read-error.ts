import { FramegateError, type Violation } from './framegate-error.ts'

/**
 * Body of an error response. Every field is optional because a proxy may have sent the response.
 */
interface ErrorBody {
  error?: { code?: string; message?: string; param?: string | null; errors?: Violation[]; request_id?: string }
}

/** Converts an unsuccessful response to an error. Consumes its body. */
export async function readError(response: Response): Promise<FramegateError> {
  const { error } = await readBody(response)
  const { status } = response
  return new FramegateError({
    status,
    code: error?.code ?? 'unexpected_answer',
    message: error?.message ?? describeResponse(response),
    param: error?.param,
    errors: error?.errors,
    requestId: error?.request_id ?? response.headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(response.headers),
  })
}

/** Returns the delay in seconds from the Retry-After header; null without the header. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

async function readBody(response: Response): Promise<ErrorBody> {
  try {
    const body = (await response.json()) as ErrorBody | null
    return typeof body?.error?.message === 'string' ? body : {}
  } catch {
    return {}
  }
}

function describeResponse({ status, type, headers }: Response): string {
  const location = headers.get('location')
  if (location !== null) return `The server responded with status ${status} and redirects to ${location}. Use that address.`
  if (type === 'opaqueredirect') return 'The server redirects to another address. Use that address.'
  return `The server responded with status ${status} without an error message.`
}
