import { FramegateError, type Violation } from './framegate-error.ts'

/** What the service sends with every refusal. Nothing of it is trusted to be there: a proxy may have answered instead. */
interface ErrorBody {
  error?: { code?: string; message?: string; param?: string | null; errors?: Violation[]; request_id?: string }
}

/** Turns an answer that is not a success into an error. Reads its body. */
export async function readError(response: Response): Promise<FramegateError> {
  const { error } = await readBody(response)
  const { status } = response
  return new FramegateError({
    status,
    code: error?.code ?? 'unexpected_answer',
    message: error?.message ?? describeAnswer(response),
    param: error?.param,
    errors: error?.errors,
    requestId: error?.request_id ?? response.headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(response.headers),
  })
}

/** Seconds until the service wants to be asked again; null when it does not say. */
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

function describeAnswer({ status, type, headers }: Response): string {
  const location = headers.get('location')
  if (location !== null) return `The server answered ${status} and points to ${location}: use that address.`
  if (type === 'opaqueredirect') return 'The server points to another address: use that one.'
  return `The server answered ${status} without saying why.`
}
