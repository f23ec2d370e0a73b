import { Agent, request as startRequest, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { onDisconnect } from '../connections/on-disconnect.ts'
import { addressField, endToEndFields, tokenField, versionField } from './passed-fields.ts'

/** Address of the main thread. */
export interface PassTarget {
  /** Port of the main thread on loopback. */
  port: number
  /** Proves that a thread of this process has sent the request. */
  token: string
}

/** A client's connection. */
interface ClientConnection {
  /** The agent of its connection on loopback. */
  agent: Agent
  /** Whether a request is being passed. */
  isBusy: boolean
  /** Functions that pass the pipelined requests that wait for earlier ones. */
  waiting: (() => void)[]
}

/**
 * Passes requests to the main thread over persistent connections on loopback. A response is passed
 * on unchanged, except for the header fields of the connection.
 *
 * Each connection of a client has its own connection on loopback, which closes with it. When a
 * client disconnects shortly after a response, the main thread therefore notices it, and does not
 * count the response as received. Pipelined requests are passed one after the other, because
 * connections for all of them could use up the file descriptors of the process.
 *
 * The main thread limits the time until a response begins, and the silence of an event stream. The
 * idle timeout of the client's connection therefore applies only while a response that is not an
 * event stream is sent.
 */
export class RequestPasser implements Disposable {
  readonly #connections = new Map<Socket, ClientConnection>()
  readonly #target: PassTarget

  constructor(target: PassTarget) {
    this.#target = target
  }

  passRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connectionOf(request.socket)
    if (connection.isBusy) connection.waiting.push(() => this.#passNow(request, response, connection))
    else this.#passNow(request, response, connection)
  }

  [Symbol.dispose](): void {
    for (const { agent } of this.#connections.values()) agent.destroy()
  }

  #passNow(request: IncomingMessage, response: ServerResponse, connection: ClientConnection): void {
    const { port, token } = this.#target
    const passedRequest = startRequest({
      host: '127.0.0.1',
      port,
      agent: connection.agent,
      method: request.method,
      path: request.url,
      // `Transfer-Encoding` stays. Without it, Node would not expect a body without a Content-Length.
      headers: [
        ...endToEndFields(request.rawHeaders, [tokenField, versionField, addressField]),
        // Without a length, Node would send an empty body in chunks, which need a Content-Type.
        ...(hasBody(request) ? [] : ['content-length', '0']),
        tokenField,
        token,
        versionField,
        request.httpVersion,
        addressField,
        request.socket.remoteAddress ?? '',
      ],
    })
    connection.isBusy = true
    // In the next tick, the agent can use its connection for another request.
    passedRequest.on('close', () => process.nextTick(passNext, connection, socket))
    const { socket } = request
    const { timeout: idleMs } = socket
    socket.setTimeout(0)
    let receivedResponse: IncomingMessage | undefined
    passedRequest.on('response', (message) => {
      receivedResponse = message
      if (idleMs !== undefined && !isEventStream(message)) socket.setTimeout(idleMs)
      passResponse(message, response)
      message.on('end', () => discardRest(request, passedRequest))
    })
    passedRequest.on('error', () => {
      if (receivedResponse?.complete !== true) response.destroy()
    })
    request.on('error', () => passedRequest.destroy())
    response.on('close', () => {
      if (!response.writableFinished) passedRequest.destroy()
    })
    request.pipe(passedRequest)
  }

  #connectionOf(socket: Socket): ClientConnection {
    const knownConnection = this.#connections.get(socket)
    if (knownConnection !== undefined) return knownConnection
    const agent = new Agent({ keepAlive: true, maxFreeSockets: 1 })
    const connection: ClientConnection = { agent, isBusy: false, waiting: [] }
    this.#connections.set(socket, connection)
    onDisconnect(socket, () => {
      this.#connections.delete(socket)
      connection.waiting = []
      agent.destroy()
    })
    return connection
  }
}

function passNext(connection: ClientConnection, socket: Socket): void {
  connection.isBusy = false
  try {
    connection.waiting.shift()?.()
  } catch {
    socket.destroy()
  }
}

/**
 * Reads and discards the rest of a body after the response, so that a client that is still sending
 * it gets the response, and can send its next request. Node sends no more of the body to the main
 * thread after the response.
 */
function discardRest(request: IncomingMessage, passedRequest: ClientRequest): void {
  if (request.readableEnded) return
  request.unpipe(passedRequest)
  passedRequest.destroy()
  request.resume()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

function passResponse(receivedResponse: IncomingMessage, response: ServerResponse): void {
  const fields = endToEndFields(receivedResponse.rawHeaders, ['transfer-encoding'])
  // The main thread sends this field if the client should use a new connection.
  if (receivedResponse.headers.connection === 'close') fields.push('connection', 'close')
  response.sendDate = false
  response.writeHead(receivedResponse.statusCode ?? 502, receivedResponse.statusMessage, fields)
  if (receivedResponse.headers['content-length'] === undefined) response.flushHeaders()
  receivedResponse.on('error', () => response.destroy())
  receivedResponse.pipe(response)
}
