// A minimal gateway: it checks the key, sends each request to the upstream, and returns the
// upstream's response. It stores nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { memoryAfterCollectionMb } from '../http/process-figures.ts'
import { serveCalls } from '../http/serve-calls.ts'

const { upstreamPort } = JSON.parse(process.argv[2] ?? '{}') as { upstreamPort: number }
const key = 'sk-bench'
const dispatcher = new Agent({ connections: 256, pipelining: 1 })

const server = createServer(async (incoming, response) => {
  if (incoming.headers.authorization !== `Bearer ${key}`) {
    response.writeHead(401).end()
    return
  }
  const { method = 'GET', url = '/' } = incoming
  const body = method === 'POST' ? await buffer(incoming) : null
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
  const upstreamResponse = await request(`http://127.0.0.1:${upstreamPort}${url}`, { method, headers, body, dispatcher })
  const bytes = await buffer(upstreamResponse.body)
  response
    .writeHead(upstreamResponse.statusCode, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const calls = { keys: () => [key], memoryMb: memoryAfterCollectionMb }
  serveCalls((server.address() as AddressInfo).port, calls, async () => {
    server.closeAllConnections()
    server.close()
  })
})
