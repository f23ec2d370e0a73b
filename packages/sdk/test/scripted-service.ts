import { vi } from 'vitest'
import { Framegate, type FramegateError, type FramegateOptions, type Task } from '../src/index.ts'

/** Response to a request. `lost`: the connection is reset. `silent`: no response arrives. */
export type Script = { status: number; body?: unknown; headers?: Record<string, string>; afterMs?: number } | 'lost' | 'silent'

export interface ScriptedRequest {
  method: string
  url: URL
  headers: Headers
  body: unknown
  atMs: number
}

/** Response of a service that has no streams. */
export const noStream: Script = { status: 404, body: { error: { code: 'route_not_found', message: 'There is no such path.' } } }

/**
 * Creates a client whose requests get these responses in order. The last one repeats. Delays use
 * the timers of the test. Requests for streams get the response `stream`, and are not recorded.
 */
export function scriptedClient(scripts: Script[], options: FramegateOptions = {}, stream: Script = noStream) {
  const requests: ScriptedRequest[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (new URL(url).pathname.endsWith('/events')) return respond(stream, init)
    requests.push({
      method: init.method ?? 'GET',
      url: new URL(url),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      atMs: Date.now(),
    })
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    return respond(script, init)
  }
  const client = new Framegate({ baseUrl: 'http://framegate.test/api', apiKey: 'key', fetch, ...options })
  return { client, requests }
}

/**
 * Advances the test's clock until the call has ended. It does not run all timers: other test files
 * of the same process may have left one that never ends.
 */
export async function outcomeOf<T>(call: Promise<T>): Promise<T | FramegateError> {
  const progress = { hasEnded: false }
  const outcome = call
    .catch((error: FramegateError) => error)
    .finally(() => {
      progress.hasEnded = true
    })
  while (!progress.hasEnded) await vi.advanceTimersToNextTimerAsync()
  return outcome
}

async function respond(script: Script | undefined, { signal }: RequestInit): Promise<Response> {
  if (script === undefined || script === 'lost') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
  await pause(script === 'silent' ? 1e9 : (script.afterMs ?? 0), signal ?? undefined)
  if (script === 'silent') throw new Error('the test waited too long')
  return new Response(typeof script.body === 'string' ? script.body : JSON.stringify(script.body), {
    status: script.status,
    headers: script.headers ?? {},
  })
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

export function task(status: Task['status'], overrides: Partial<Task> = {}): Task {
  return {
    id: 'task_1',
    object: 'video',
    created: 0,
    model: 'm',
    status,
    progress: 0,
    amount: 1,
    actualDuration: null,
    error: null,
    ...overrides,
  }
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Script {
  return { status, headers, body: { error: { type: 't', code, message: `It is ${code}.`, param: null, request_id: 'req_1' } } }
}
