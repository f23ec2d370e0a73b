import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Task } from '@framegate/sdk'

/** A scripted server: tasks go through the given states, and the requested faults are injected. */
export interface FakeFramegate extends AsyncDisposable {
  baseUrl: string
  /** Bodies and idempotency keys of all received submits, including those without a response. */
  submits: { body: Record<string, unknown>; idempotencyKey: string | undefined }[]
  cancelled: string[]
  /** Number of received polls. */
  polls: number
}

export interface FakePlan {
  /** Successive states of a task, one per poll. The last one repeats. */
  states?: Partial<Task>[]
  /** Whether to offer event streams that send the states. Default: false. */
  hasStreams?: true
  /** Number of submits that create the task but get no response. */
  lostSubmits?: number
  /** Number of results per task. Default: 1. */
  results?: number
  /** Number of downloads whose connection breaks in the middle. */
  brokenDownloads?: number
  /** Number of submits to accept. Later ones get the error `refusal`. */
  submitsAccepted?: number
  /** Indexes of submits, from 0, whose tasks fail. */
  failing?: number[]
  /** Seconds by which the server's clock is ahead of this machine's. */
  aheadSeconds?: number
  /** Whether cancel requests get no response. */
  ignoresCancel?: true
  refusal?: { status: number; code: string; message: string }
}

export const fakeResult = Buffer.alloc(300_000, 'framegate')
const longPollMs = 200
const firstTaskNo = 0x0123456789abcdefn

/** Returns the id of the task that the n-th submit created, counted from 0. */
export function fakeTaskId(submit: number): string {
  return `task_${(firstTaskNo + BigInt(submit)).toString(16).padStart(16, '0')}`
}

export async function startFakeFramegate(plan: FakePlan = {}): Promise<FakeFramegate> {
  const statesOfTask = new Map<string, Partial<Task>[]>()
  let { lostSubmits = 0, brokenDownloads = 0, submitsAccepted = 0 } = plan
  let taskCount = 0
  const submits: FakeFramegate['submits'] = []
  const cancelled: string[] = []
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (plan.aheadSeconds !== undefined) response.setHeader('Date', new Date(Date.now() + plan.aheadSeconds * 1000).toUTCString())
    const text = await bodyOf(request)
    if (pathname === '/media') return download(response)
    if (!pathname.startsWith('/api/')) return refuse(response, 404, 'route_not_found', 'There is nothing here.')
    if (request.headers.authorization !== 'Bearer good-key')
      return refuse(response, 401, 'invalid_api_key', 'This key is not known.')
    if (pathname.endsWith('/cancel')) {
      cancelled.push(pathname)
      if (plan.ignoresCancel) return
      return sendJson(response, 200, taskOf(idOf(pathname), { status: 'failed', error_code: 'cancelled' }))
    }
    if (pathname.endsWith('/events')) {
      if (plan.hasStreams) return streamTask(response, idOf(pathname))
      return refuse(response, 404, 'route_not_found', 'There is nothing here.')
    }
    if (request.method === 'GET') {
      fake.polls += 1
      await new Promise((resolve) => setTimeout(resolve, longPollMs))
      return sendJson(response, 200, taskOf(idOf(pathname), nextState(idOf(pathname))))
    }
    const key = request.headers['idempotency-key']
    submits.push({ body: JSON.parse(text), idempotencyKey: typeof key === 'string' ? key : undefined })
    if (plan.refusal && submitsAccepted-- <= 0)
      return refuse(response, plan.refusal.status, plan.refusal.code, plan.refusal.message)
    if (lostSubmits-- > 0) return void request.socket.destroy()
    return sendJson(response, 202, taskOf(fakeTaskId(taskCount++), { status: 'queued', progress: 0 }))
  }

  function nextState(id: string): Partial<Task> {
    if (plan.failing?.map(fakeTaskId).includes(id)) return { status: 'failed', error: 'Not this one.' }
    const states = statesOfTask.get(id) ?? [...(plan.states ?? [{ status: 'completed', progress: 100 }])]
    statesOfTask.set(id, states)
    const [state] = states.length > 1 ? states.splice(0, 1) : states
    return state ?? {}
  }

  function taskOf(id: string, state: Partial<Task>): Task {
    const facts = { type: 'video/mp4', width: 1, height: 1, seconds: 5, bytes: fakeResult.length }
    const results = Array.from({ length: plan.results ?? 1 }, () => Object.assign({ url: `${origin}/media` }, facts))
    const resultFields = { result_url: `${origin}/media`, results, actualDuration: 5 }
    const result = state.status === 'completed' ? resultFields : { actualDuration: null }
    return {
      id,
      object: 'video',
      created: 1,
      model: 'm',
      status: 'processing',
      progress: 50,
      amount: 1,
      error: null,
      ...result,
      ...state,
    }
  }

  async function streamTask(response: ServerResponse, id: string): Promise<void> {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const [index, state] of (plan.states ?? []).entries()) {
      response.write(`event: task\nid: ${index}\ndata: ${JSON.stringify(taskOf(id, state))}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, longPollMs))
    }
    response.end()
  }

  function download(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': fakeResult.length })
    if (brokenDownloads-- > 0) response.write(fakeResult.subarray(0, 1000), () => response.destroy())
    else response.end(fakeResult)
  }

  const fake: FakeFramegate = {
    baseUrl: `${origin}/api`,
    submits,
    cancelled,
    polls: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fake
}

function idOf(pathname: string): string {
  return pathname.split('/').find((part) => part.startsWith('task_')) ?? ''
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '5' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { type: 'invalid_request_error', code, message, param: null, request_id: 'req_1' } })
}
