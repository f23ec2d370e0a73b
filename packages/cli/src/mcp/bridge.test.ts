import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { runBridge } from './bridge.ts'

interface Received {
  message: { id?: unknown; method?: string; params?: Record<string, unknown> }
  headers: IncomingMessage['headers']
}

type Respond = (received: Received, response: ServerResponse) => void

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const close of cleanUp.splice(0)) close()
})

/** Starts a bridge to a scripted endpoint. `send` writes a line to the bridge's input. */
async function openBridge(respond: Respond, isRead = true) {
  const received: Received[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedMessage = { message: (await json(request)) as Received['message'], headers: request.headers }
    received.push(receivedMessage)
    respond(receivedMessage, response)
  }
  const server = createServer((request, response) => void receive(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const [input, output, cancel] = [new PassThrough(), new PassThrough(), new AbortController()]
  const reports: string[] = []
  const lines: string[] = []
  const read = () => output.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
  if (isRead) read()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`
  const bridgeEnded = runBridge({
    url,
    apiKey: 'fg_live_x',
    input,
    output,
    signal: cancel.signal,
    report: (reason) => void reports.push(reason),
  })
  cleanUp.push(() => {
    cancel.abort()
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    reports,
    ended: bridgeEnded,
    input,
    read,
    messages: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    send: (message: unknown) => input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    cancel: () => cancel.abort(),
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: { ok: true } })
const call = (id: number, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'quote', ...params },
})
const modernParams = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

it('the bridge sends each line as a request with the key and the headers that its protocol revision requires', async () => {
  const bridge = await openBridge(({ message: { id, method } }, response) => {
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'initialize') return sendJson(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } })
    return sendJson(response, 200, result(id))
  })
  bridge.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
  bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  bridge.send(call(2))
  bridge.send(call(3, modernParams))
  bridge.input.end()
  await bridge.ended
  expect(bridge.messages().map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3]))
  expect(bridge.reports).toEqual([])
  const headersOf = (id: number) => bridge.received.find(({ message }) => message.id === id)?.headers
  expect(headersOf(1)).toMatchObject({ authorization: 'Bearer fg_live_x', accept: 'application/json, text/event-stream' })
  expect(headersOf(1)).not.toHaveProperty('mcp-protocol-version')
  expect(headersOf(2)).toMatchObject({ 'mcp-protocol-version': '2025-11-25' })
  expect(headersOf(3)).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'quote' })
})

it('the bridge prints each message of a stream as a line, however the stream is divided into chunks', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1, message: 'größer' } }
  const bridge = await openBridge(({ message: { id } }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = [progress, result(id)].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(': \n\n')
    for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]))
    response.end()
  })
  bridge.send(call(1))
  bridge.input.end()
  await bridge.ended
  expect(bridge.messages()).toEqual([progress, result(1)])
})

it.each<[string, Respond]>([
  ['before it begins', (_received, response) => response.destroy()],
  [
    'in its body',
    (_received, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('event: message\ndata: {"jsonrpc"', () => response.destroy())
    },
  ],
  ['before its message', (_received, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': \n\n')],
])('a request whose response is cut %s is sent again unchanged', async (_where, cut) => {
  const bridge = await openBridge((received, response) => {
    if (bridge.received.length === 1) cut(received, response)
    else sendJson(response, 200, result(received.message.id))
  })
  bridge.send(call(7))
  bridge.input.end()
  await bridge.ended
  expect(bridge.messages()).toEqual([result(7)])
  expect(bridge.received.map(({ message }) => message)).toEqual([call(7), call(7)])
})

it('an error of the endpoint, or a line that is not a message, becomes a JSON-RPC error', async () => {
  const error = {
    type: 'authentication_error',
    code: 'invalid_api_key',
    message: 'This API key is unknown.',
    request_id: 'req_1',
  }
  const bridge = await openBridge((_received, response) => sendJson(response, 401, { error }))
  bridge.send('no JSON')
  bridge.send([call(1)])
  bridge.send(call(2))
  bridge.input.end()
  await bridge.ended
  const parseError = { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } }
  expect(bridge.messages()).toEqual([
    parseError,
    parseError,
    {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32000, message: error.message, data: { status: 401, code: 'invalid_api_key', request_id: 'req_1' } },
    },
  ])
})

it("a cancellation aborts the call's request from revision 2026-07-28 on, and is forwarded in earlier revisions", async () => {
  const closed = vi.fn<() => void>()
  const bridge = await openBridge(({ message: { id } }, response) => {
    if (id === undefined) response.writeHead(202).end()
    else response.on('close', closed)
  })
  bridge.send(call(1, modernParams))
  bridge.send(call(2))
  await vi.waitFor(() => expect(bridge.received).toHaveLength(2))
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  await vi.waitFor(() => expect(bridge.received).toHaveLength(3))
  expect(bridge.received[2]?.message.method).toBe('notifications/cancelled')
  bridge.cancel()
  await bridge.ended
  expect(bridge.messages()).toEqual([])
})

it('if the host reads no responses, the bridge stops reading messages, and exits when the host has read everything', async () => {
  const text = 'x'.repeat(64 * 1024)
  const bridge = await openBridge(
    ({ message: { id } }, response) => sendJson(response, 200, { jsonrpc: '2.0', id, result: { text } }),
    false,
  )
  // All of these are sent before the first response.
  for (let id = 1; id <= 3; id++) bridge.send(call(id))
  await vi.waitFor(() => expect(bridge.received).toHaveLength(3))
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let id = 4; id <= 6; id++) bridge.send(call(id))
  bridge.input.end()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(bridge.received).toHaveLength(3)
  bridge.read()
  await bridge.ended
  expect(bridge.messages().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
})

it('a line of more than 17 MiB is rejected, and the next line is served', async () => {
  const bridge = await openBridge(({ message: { id } }, response) => sendJson(response, 200, result(id)))
  bridge.input.write('x'.repeat(18 * 1024 * 1024))
  bridge.send('')
  bridge.send(call(1))
  bridge.input.end()
  await bridge.ended
  expect(bridge.messages()).toMatchObject([{ error: { code: -32700 } }, result(1)])
})
