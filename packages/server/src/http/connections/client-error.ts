import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../lib/app-error.ts'
import { errorText, jsonContentType } from '../responses/send-error.ts'
import { securityHeaders } from '../security-headers.ts'
import { currentResponse } from './current-response.ts'

/**
 * Closes the connection of a request that Node rejected as malformed, too large or too slow. If no
 * response has begun, first sends an error response by writing to the socket.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable || currentResponse(socket)?._headerSent === true) {
    socket.destroy()
    return
  }
  sendOnSocket(socket, toAppError(error), requestId)
}

/**
 * Rejects CONNECT, because this service is not a proxy. Without this listener, Node would close the
 * connection without a response.
 */
export function rejectConnect(server: Server, nextRequestId: () => string): void {
  server.on('connect', (_request, socket) => {
    sendOnSocket(
      socket,
      new AppError('method_not_allowed', 'CONNECT is not supported here.', { headers: { allow: '' } }),
      nextRequestId(),
    )
  })
}

function sendOnSocket(socket: Duplex, error: AppError, requestId: string): void {
  const text = errorText(error, requestId)
  const headers = {
    ...securityHeaders,
    'content-type': jsonContentType,
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    connection: 'close',
    ...error.headers,
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  // A client that reads the response closes the connection within this time. Any other client could
  // keep the connection open forever.
  setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.end(`HTTP/1.1 ${error.status} ${reasonPhrases[error.status] ?? ''}\r\n${head.join('')}\r\n${text}`)
}

const lingerMs = 2_000

const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function toAppError({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The address and the headers of the request are too long.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.')
    default:
      return new AppError('invalid_request', 'This is not a well-formed HTTP/1.1 request.')
  }
}
