import type { ErrorBody, Task } from '@framegate/contract'

/** The few calls that the command line makes to a Framegate, over the global fetch. */
export interface ApiClient {
  readonly baseUrl: string
  submit(body: Record<string, unknown>, idempotencyKey: string): Promise<Task>
  /** Answers when the task has ended or after `waitSeconds`, whichever is first. */
  query(id: string, waitSeconds: number, signal: AbortSignal): Promise<QueriedTask>
  cancel(id: string): Promise<void>
}

export interface QueriedTask {
  task: Task
  /** When the server wants to be asked again; null when it does not say. */
  retryAfterSeconds: number | null
}

/** The server refused, or could not do, what was asked. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  readonly code: string | null
  readonly retryAfterSeconds: number | null

  constructor(status: number, code: string | null, message: string, retryAfterSeconds: number | null) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer came: nothing listens there, or the connection was lost. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
}

const answerMsMax = 30_000
const cancelMsMax = 5_000

export function createApiClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): ApiClient {
  const tasksUrl = `${baseUrl}/v2/model-center/tasks`

  async function call(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    const headers = { Authorization: `Bearer ${apiKey}`, Accept: 'application/json', ...(init.headers as Record<string, string>) }
    const response = await reach(baseUrl, () => fetch(url, { ...init, headers, redirect: 'manual' }))
    if (!response.ok) throw await refusalOf(response)
    return response
  }

  return {
    baseUrl,

    async submit(body, idempotencyKey) {
      const response = await call(tasksUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMsMax),
      })
      return (await reach(baseUrl, () => response.json())) as Task
    },

    async query(id, waitSeconds, signal) {
      const response = await call(`${tasksUrl}/${encodeURIComponent(id)}?wait=${waitSeconds}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1000 + answerMsMax)]),
      })
      const task = (await reach(baseUrl, () => response.json())) as Task
      return { task, retryAfterSeconds: retryAfterSecondsOf(response) }
    },

    async cancel(id) {
      const signal = AbortSignal.timeout(cancelMsMax)
      const response = await call(`${tasksUrl}/${encodeURIComponent(id)}/cancel`, { method: 'POST', signal })
      await response.body?.cancel()
    },
  }
}

/** Turns what fetch throws into what it means; an abort that was asked for stays one. */
async function reach<T>(baseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : String(cause))
    throw new ServerUnreachable(`No answer from ${baseUrl} (${reason}).`, { cause: error })
  }
}

async function refusalOf(response: Response): Promise<ApiRefusal> {
  const text = await response.text().catch(() => '')
  const error = errorOf(text)
  const location = response.headers.get('location')
  const message =
    error?.message ??
    (location === null
      ? `The server answered ${response.status} without saying why.`
      : `The server answered ${response.status} and points to ${location}: use that address.`)
  return new ApiRefusal(response.status, error?.code ?? null, message, retryAfterSecondsOf(response))
}

function errorOf(text: string): ErrorBody['error'] | null {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>
    return typeof error?.message === 'string' ? error : null
  } catch {
    return null
  }
}

function retryAfterSecondsOf(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? null : seconds
}
