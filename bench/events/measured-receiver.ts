// A webhook receiver in a separate process, which accepts and counts all events.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCalls } from '../http/serve-calls.ts'

export interface Received {
  requests: number
  /** Number of different events. */
  events: number
  /** Unix milliseconds of the first and the last request. */
  firstAtMs: number
  lastAtMs: number
}

let ids = new Set<string>()
let received: Received = { requests: 0, events: 0, firstAtMs: 0, lastAtMs: 0 }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const now = Date.now()
    ids.add(String(request.headers['webhook-id']))
    received = { requests: received.requests + 1, events: ids.size, firstAtMs: received.firstAtMs || now, lastAtMs: now }
    response.end()
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const calls = {
  received: () => received,
  reset: () => {
    ids = new Set()
    received = { requests: 0, events: 0, firstAtMs: 0, lastAtMs: 0 }
    return received
  },
}
serveCalls((server.address() as AddressInfo).port, calls, async () => {
  server.closeAllConnections()
  server.close()
})
