import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { isObject } from '../../lib/is-object.ts'
import { loadOnce } from '../../lib/load-once.ts'
import { authorize, principalOf } from '../authorize.ts'
import { requireJsonObject, type JsonObject } from '../bodies/json-body.ts'
import { brandOf } from '../brand-of.ts'
import { ResponseReceipts } from '../connections/response-receipts.ts'
import { disconnectStalledReaders } from '../connections/stalled-readers.ts'
import { disableIdleTimeout } from '../connections/disable-idle-timeout.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { eventStreamHeaders } from '../streams/event-stream.ts'
import { requireAdmittedOrigin } from './admit-origin.ts'
import { createServer, type Sdk } from './create-server.ts'
import { OpenCalls } from './open-calls.ts'
import { ToolSubmits } from './tool-submits.ts'

/** Request headers that are passed to the MCP library. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/**
 * Adds the endpoint of the Model Context Protocol, transport Streamable HTTP, for the revisions
 * 2025-11-25 and 2026-07-28 (https://modelcontextprotocol.io/specification). The endpoint is
 * stateless: it has no sessions, and an event stream ends with the result of its request. Errors
 * outside of the protocol, such as a missing key, have the usual format of this service.
 */
export function addMcpRoute(app: FastifyInstance, dependencies: HttpDependencies): void {
  const receipts = new ResponseReceipts(dependencies)
  app.addHook('onClose', () => receipts[Symbol.asyncDispose]())
  const submits = new ToolSubmits(dependencies, receipts)
  const openCalls = new OpenCalls()
  const loadedSdk = loadOnce<Sdk>(() => import('@modelcontextprotocol/server'))

  app.post(
    `${dependencies.config.basePath}/mcp`,
    {
      onRequest: [requireAdmittedOrigin(dependencies), authorize(dependencies.keys, null, () => {})],
      config: { acceptsImages: true },
    },
    async (request, reply) => {
      const message = readMessage(request)
      const principal = principalOf(request)
      submits.recordRequest(request)
      if (message['method'] === 'notifications/cancelled' && isObject(message['params'])) {
        openCalls.cancel(principal.keyNo, message['params']['requestId'])
      }
      const sdk = await loadedSdk.load()
      const call = { dependencies, submits, openCalls, request, reply, principal, brand: brandOf(request) }
      let cause: Error | undefined
      const onerror = (error: Error): void => void (cause = error)
      disableIdleTimeout(request)
      const handler = sdk.createMcpHandler((requestContext) => createServer(sdk, call, requestContext), { onerror })
      const response = await handler.fetch(createWebRequest(request, reply), { parsedBody: message })
      if (response.status >= 500) dependencies.logger.error({ requestId: request.id, err: cause }, 'a request failed')
      return await send(request, reply, { response, isStreamed: hasProgressToken(message) })
    },
  )
}

function readMessage(request: FastifyRequest): JsonObject {
  const { body } = request
  if (Array.isArray(body)) {
    throw new AppError('invalid_request', 'Batches are not accepted; send one JSON-RPC message per request.')
  }
  const message = requireJsonObject(request)
  if (message['method'] !== 'subscriptions/listen') return message
  throw new AppError('invalid_request', 'There are no notifications to subscribe to; poll with tasks/get or get_task.')
}

/**
 * Creates the request for the MCP library. It has no body; the library receives the parsed body
 * separately.
 */
function createWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers()
  for (const name of protocolHeaders) {
    const value = request.raw.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: disconnectSignal(reply) })
}

/** Whether the client wants progress notifications, which need an event stream. */
function hasProgressToken({ params }: JsonObject): boolean {
  const meta = isObject(params) ? params['_meta'] : undefined
  return isObject(meta) && meta['progressToken'] !== undefined
}

/**
 * Converts an event stream with one message to this message as JSON. The library always streams in
 * the 2025 revisions. Some clients, such as Python's, close the connection of a stream as soon as
 * they have the message, which looks like a lost response. The comments with which the library
 * keeps the connection open become white space, for proxies with a short timeout. The stream of a
 * client that has disconnected ends without a message.
 */
async function* jsonOf(events: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let lastLine = ''
  for await (const chunk of events.pipeThrough(new TextDecoderStream())) {
    const lines = `${lastLine}${chunk}`.split('\n')
    lastLine = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith(':')) yield '\n'
      else if (line.startsWith(dataField)) yield line.slice(dataField.length)
    }
  }
}

const eventStreamType = 'text/event-stream'
const dataField = 'data: '

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { response, isStreamed }: { response: Response; isStreamed: boolean },
): Promise<FastifyReply> {
  reply.code(response.status)
  if (response.body === null) return reply.send()
  if (response.headers.get('content-type') !== eventStreamType) {
    return reply.header('content-type', jsonContentType).send(await response.text())
  }
  const stream = isStreamed ? Readable.fromWeb(response.body) : Readable.from(jsonOf(response.body))
  disconnectStalledReaders(request.raw.socket, stream)
  return reply.headers(isStreamed ? eventStreamHeaders : { 'content-type': jsonContentType }).send(stream)
}
