import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The upstream's side of a websocket. */
export interface SimulatedSocket {
  url: URL
  headers: IncomingMessage['headers']
  isOpen(): boolean
  send(message: unknown): void
  close(): void
}

export function acceptSocket({ url, headers }: IncomingMessage, stream: Duplex): SimulatedSocket {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  stream.on('error', () => {})
  // Ignores all frames from the client except close.
  stream.on('data', ([firstByte]: Buffer) => firstByte === closeFrame && stream.end())
  return {
    url: new URL(url ?? '/', 'http://127.0.0.1'),
    headers,
    isOpen: () => stream.writable,
    send: (message) => stream.write(textFrame(JSON.stringify(message))),
    close: () => stream.destroy(),
  }
}

const closeFrame = 0x88

/** Encodes a text of at most 65,535 bytes as one unmasked frame (RFC 6455, section 5.2). */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x81, payload.length]), payload])
  const head = Buffer.from([0x81, 126, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
