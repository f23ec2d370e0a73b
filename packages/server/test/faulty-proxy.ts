import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/**
 * Behavior of the proxy for one request:
 *
 *   pass           forwards the request and the response unchanged
 *   slow_down      responds with S3's throttling error
 *   reset          resets the connection
 *   damage         forwards the request with one changed bit in its body
 *   hang           never responds
 *   cut_response   closes the connection after about `cutAfterBytes` of the response body
 */
export type ProxyBehavior = 'pass' | 'slow_down' | 'reset' | 'damage' | 'hang' | 'cut_response'

/**
 * A proxy that injects faults into the connection to an S3 server. It forwards the `Host` header and
 * the path unchanged, because they are part of the signature of a request.
 */
export interface FaultyProxy extends AsyncDisposable {
  endpoint: string
  /** All received requests, each in the format `PUT /bucket/key?query`. */
  seen: string[]
  /** Chooses the behavior for a request. Called for each request. */
  behavior: (line: string, incoming: IncomingMessage) => ProxyBehavior
}

const slowDown =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'
const cutAfterBytes = 50_000

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`
    proxy.seen.push(line)
    const behavior = proxy.behavior(line, incoming)
    switch (behavior) {
      case 'hang':
        incoming.resume()
        return
      case 'reset':
        incoming.socket.resetAndDestroy()
        return
      case 'slow_down':
        incoming.resume()
        outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(slowDown)
        return
      default:
        forwardRequest(behavior, incoming, outgoing)
    }
  })

  function forwardRequest(behavior: ProxyBehavior, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming
    const forwarded = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (behavior === 'cut_response') response.pipe(cutStream(() => outgoing.destroy())).pipe(outgoing)
      else response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    if (behavior === 'damage') incoming.pipe(damageStream()).pipe(forwarded)
    else incoming.pipe(forwarded)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    behavior: () => 'pass',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Returns a stream that flips one bit in the first byte of its input. */
function damageStream(): Transform {
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const copy = Buffer.from(chunk)
      if (isFirst) copy[0] = (copy[0] ?? 0) ^ 1
      isFirst = false
      done(null, copy)
    },
  })
}

function cutStream(cut: () => void): Transform {
  let bytesSeen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesSeen += chunk.byteLength
      done(null, chunk)
      if (bytesSeen > cutAfterBytes) setImmediate(cut)
    },
  })
}
