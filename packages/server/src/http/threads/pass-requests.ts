import { Agent, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { addressField, endToEndFields, tokenField } from './passed-fields.ts'

export interface PassedTo {
  /** Port of the main thread on loopback. */
  port: number
  /** Proves that a thread of this process has sent the request. */
  token: string
}

/**
 * Passes requests to the main thread over persistent connections on loopback. A response is passed
 * on unchanged, except for the header fields of the connection.
 *
 * The main thread limits the time until a response begins, and the silence of an event stream. The
 * idle timeout of the client's connection therefore applies only while another response is sent.
 */
export class RequestPasser implements Disposable {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #to: PassedTo

  constructor(to: PassedTo) {
    this.#to = to
  }

  passRequest(request: IncomingMessage, response: ServerResponse): void {
    const { port, token } = this.#to
    const passedRequest = startRequest({
      host: '127.0.0.1',
      port,
      agent: this.#agent,
      method: request.method,
      path: request.url,
      // The field `Transfer-Encoding` stays, because it marks the end of a body without a length.
      headers: [
        ...endToEndFields(request.rawHeaders, [tokenField, addressField]),
        tokenField,
        token,
        addressField,
        request.socket.remoteAddress ?? '',
      ],
    })
    const { socket } = request
    const { timeout: idleMs } = socket
    socket.setTimeout(0)
    passedRequest.on('response', (received) => {
      if (idleMs !== undefined && !isEventStream(received)) socket.setTimeout(idleMs)
      passResponse(received, response)
    })
    passedRequest.on('error', () => response.destroy())
    request.on('error', () => passedRequest.destroy())
    response.on('close', () => {
      if (!response.writableFinished) passedRequest.destroy()
    })
    request.pipe(passedRequest)
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}

function passResponse(received: IncomingMessage, response: ServerResponse): void {
  const fields = endToEndFields(received.rawHeaders, ['transfer-encoding'])
  // This field announces that the main thread accepts no further requests on the connection.
  if (received.headers.connection === 'close') fields.push('connection', 'close')
  response.sendDate = false
  response.writeHead(received.statusCode ?? 502, received.statusMessage, fields)
  if (received.headers['content-length'] === undefined) response.flushHeaders()
  received.on('error', () => response.destroy())
  received.pipe(response)
}
