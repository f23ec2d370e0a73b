import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Responds to one request. */
export type Behavior = (exchange: { body: ChatBody; response: ServerResponse; request: IncomingMessage }) => void | Promise<void>

// `any` because a test reads the fields that it has sent.
// oxlint-disable-next-line typescript/no-explicit-any
export type ChatBody = Record<string, any>

export const words = ['The', ' boat', ' is', ' red', '.']
export const usage = {
  prompt_tokens: 20,
  completion_tokens: words.length,
  total_tokens: 20 + words.length,
  prompt_tokens_details: { cached_tokens: 8 },
}

/** An OpenAI-compatible chat server on loopback, with injectable faults. */
export interface ChatUpstream extends AsyncDisposable {
  /** Base URL with which the service calls the upstream. */
  baseUrl: string
  /** Received requests, without those with the method GET. */
  received: { path: string; body: ChatBody; headers: IncomingMessage['headers'] }[]
  /** Called with the text of each body. */
  nextText?: (text: string) => void
  /** Number of requests whose connection closed before the end of the response. */
  abortedCount: number
  /** Adds behaviors for the next requests, one each. Further requests get the default behavior. */
  next(...behaviors: Behavior[]): void
  /** Clears the recorded requests and the behaviors. */
  reset(): void
}

export async function openChatUpstream(fallback: Behavior = defaultBehavior): Promise<ChatUpstream> {
  const nextBehaviors: Behavior[] = []
  const received: ChatUpstream['received'] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (request.method === 'GET') {
      sendJson(response, 200, { object: 'list', data: [{ id: 'tiny', object: 'model', max_model_len: 4096 }] })
      return
    }
    const receivedText = await text(request)
    upstream.nextText?.(receivedText)
    const body = JSON.parse(receivedText) as ChatBody
    received.push({ path, body, headers: request.headers })
    response.on('close', () => {
      if (!response.writableFinished) upstream.abortedCount += 1
    })
    await (nextBehaviors.shift() ?? fallback)({ body, response, request })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream: ChatUpstream = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    abortedCount: 0,
    next: (...behaviors) => void nextBehaviors.push(...behaviors),
    reset() {
      nextBehaviors.length = 0
      received.length = 0
      upstream.abortedCount = 0
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
  return upstream
}

export const defaultBehavior: Behavior = ({ body, response, request }) => {
  if (request.url?.endsWith('/embeddings') === true) {
    const data = [{ object: 'embedding', index: 0, embedding: [0.1, -0.2] }]
    sendJson(response, 200, { object: 'list', model: body['model'], data, usage: { prompt_tokens: 4, total_tokens: 4 } })
  } else if (request.url?.endsWith('/moderations') === true) {
    sendJson(response, 200, { id: 'modr-1', model: body['model'], results: [{ flagged: false }] })
  } else if (request.url?.endsWith('/responses') === true) {
    sendModelResponse({ body, response })
  } else if (body['stream'] === true) {
    beginStream(response)
    for (const word of words) sendDelta(response, body, { content: word })
    endStream(response, body)
  } else {
    sendJson(response, 200, completion(body, words.join('')))
  }
}

function sendModelResponse({ body, response }: { body: ChatBody; response: ServerResponse }): void {
  const reported = { input_tokens: 20, output_tokens: 5, total_tokens: 25, input_tokens_details: { cached_tokens: 0 } }
  const complete = { id: 'resp_1', object: 'response', status: 'completed', model: body['model'], output: [], usage: reported }
  if (body['stream'] !== true) return sendJson(response, 200, complete)
  beginStream(response)
  for (const delta of words) sendNamed(response, { type: 'response.output_text.delta', delta })
  sendNamed(response, { type: 'response.completed', response: complete })
  response.end()
}

function sendNamed(response: ServerResponse, event: { type: string } & Record<string, unknown>): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

export function completion(body: ChatBody, content: string, reported: unknown = usage): object {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: body['model'], choices: [choice], usage: reported }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

export function deltaEvent(body: ChatBody, delta: object, extraFields: object = {}): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: body['model'],
    choices: [{ index: 0, delta, finish_reason: null }],
    usage: null,
    ...extraFields,
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

export function sendDelta(response: ServerResponse, body: ChatBody, delta: object): void {
  response.write(deltaEvent(body, delta))
}

export function endStream(response: ServerResponse, body: ChatBody, reported: unknown = usage): void {
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  response.write(deltaEvent(body, {}, finish))
  if (reported !== null && body['stream_options']?.include_usage === true) {
    response.write(deltaEvent(body, {}, { choices: [], usage: reported }))
  }
  response.end('data: [DONE]\n\n')
}

/** Returns a behavior that responds with an error. */
export function refuseWith(status: number, error: object, headers: Record<string, string> = {}): Behavior {
  return ({ response }) => sendJson(response, status, { error }, headers)
}

/** Breaks the connection before any response. */
export const breakConnection: Behavior = ({ request }) => void request.socket.destroy()
