import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { defaultLimits } from '../limits.ts'
import { addressField, tokenField, versionField } from './passed-fields.ts'
import type { PassTarget } from './pass-requests.ts'

/** Maximum total size of the fields that an HTTP thread adds to a request. */
const addedFieldsBytesMax = 1024
const tokenBytes = 32

/** Receives the requests that the HTTP threads pass to the main thread. */
export class PassedRequests implements Disposable {
  readonly target: PassTarget
  readonly #server: Server

  private constructor(server: Server, target: PassTarget) {
    this.#server = server
    this.target = target
  }

  /** Listens on loopback. A request without the token of this process gets no response. */
  static async open(app: FastifyInstance): Promise<PassedRequests> {
    const token = randomBytes(tokenBytes).toString('hex')
    // The HTTP threads limit the duration of a request and close unused connections. The connection
    // of another program is closed at its first request, or if it does not send one in time.
    const server = createServer({
      maxHeaderSize: defaultLimits.headerBytesMax + addedFieldsBytesMax,
      requireHostHeader: false,
      headersTimeout: defaultLimits.headersTimeoutMs,
      keepAliveTimeout: 0,
      requestTimeout: 0,
    })
    server.maxConnections = defaultLimits.connectionsMax
    // The HTTP threads limit the number of fields, before they add theirs.
    server.maxHeadersCount = 0
    server.on('request', (request, response) => {
      if (restoreRequest(request, token)) app.server.emit('request', request, response)
      else request.socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PassedRequests(server, { port: (server.address() as AddressInfo).port, token })
  }

  [Symbol.dispose](): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** Restores the request as the HTTP thread received it. Returns false if the token is wrong. */
function restoreRequest(request: IncomingMessage, token: string): boolean {
  const { headers, rawHeaders, socket } = request
  const receivedToken = headers[tokenField]
  if (typeof receivedToken !== 'string' || receivedToken.length !== token.length) return false
  if (!timingSafeEqual(Buffer.from(receivedToken), Buffer.from(token))) return false
  // An HTTP thread sends one request at a time on a connection, so the socket can have the address
  // of that request's client.
  Object.defineProperty(socket, 'remoteAddress', { value: headers[addressField], configurable: true })
  // The check of the Host field needs the client's version, because HTTP/1.0 permits its absence.
  request.httpVersion = String(headers[versionField])
  delete headers[tokenField]
  delete headers[versionField]
  delete headers[addressField]
  // The HTTP thread has appended these three fields, and Node has added `Connection` after them.
  rawHeaders.splice(rawHeaders.lastIndexOf(tokenField))
  return true
}
