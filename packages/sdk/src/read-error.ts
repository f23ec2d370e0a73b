import { FramegateError, type Violation } from './framegate-error.ts'
import { readObject } from './parse-object.ts'

/**
 * Converts an unsuccessful response to an error. Consumes its body. Any field of the body may be
 * missing or have another type, because a proxy may have sent the response.
 */
export async function readError(response: Response): Promise<FramegateError> {
  const { status, headers } = response
  const body: { error?: Partial<Record<string, unknown>> } | null = await readObject(response).catch(() => null)
  const { code, message, param, errors, request_id: requestId } = body?.error ?? {}
  return new FramegateError({
    status,
    code: textOf(code) ?? 'unexpected_answer',
    message: textOf(message) ?? describeResponse(response),
    param: textOf(param),
    errors: Array.isArray(errors) ? (errors as Violation[]) : [],
    requestId: textOf(requestId) ?? headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers),
  })
}

/** Returns the delay in seconds from the Retry-After header; null without the header. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function describeResponse({ status, type, headers }: Response): string {
  const location = headers.get('location')
  if (location !== null) return `The server responded with status ${status} and redirects to ${location}. Use that address.`
  if (type === 'opaqueredirect') return 'The server redirects to another address. Use that address.'
  return `The server responded with status ${status} without an error message.`
}
