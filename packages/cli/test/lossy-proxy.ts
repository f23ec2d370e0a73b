import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behavior of the proxy for one request. */
export type Fault = 'no request' | 'no response' | 'late response' | 'late loss' | 'not an object' | 'status 503'

const lateResponseMs = 1_500

/** Starts a proxy of a service that loses the requests or responses that `faultOf` selects. */
export async function startLossyProxy(serviceUrl: string, faultOf: (incoming: IncomingMessage) => Fault | undefined) {
  let faults = 0
  const proxy = createServer((incoming, response) => {
    const fault = faultOf(incoming)
    if (fault !== undefined) faults++
    if (fault === 'no request') return
    const { method, headers } = incoming
    const outgoing = request(new URL(incoming.url ?? '', serviceUrl), { method, headers }, (message) => {
      if (fault === 'no response') incoming.socket.destroy()
      else if (fault === 'late loss') setTimeout(() => incoming.socket.destroy(), lateResponseMs)
      else if (fault === 'not an object') response.writeHead(message.statusCode ?? 0).end('<html>')
      else if (fault === 'status 503')
        response.writeHead(503).end(JSON.stringify({ error: { code: 'overloaded', message: 'Busy.' } }))
      else {
        const respond = () => void message.pipe(response.writeHead(message.statusCode ?? 0, message.headers))
        setTimeout(respond, fault === 'late response' ? lateResponseMs : 0)
      }
    })
    incoming.pipe(outgoing)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${new URL(serviceUrl).pathname}`,
    hasFault: () => faults > 0,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
