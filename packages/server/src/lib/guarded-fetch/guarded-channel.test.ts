import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenGuardedChannel, createRequireAllowedAddress } from './guarded-channel.ts'

let server: Server
let port: number
let receivedRequests = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    receivedRequests += 1
    request.resume()
    // Closes the connection, so that the next request needs a new connection and a new lookup.
    response.writeHead(200, { connection: 'close' }).end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => {
  server.close()
})

const request = { body: '{}', headers: {}, timeoutMs: 2_000, bytesMax: 10, signal: new AbortController().signal }

it('a name that resolves to an allowed address at first and to another one later is not dialed again', async () => {
  const resolutions = [['127.0.0.1'], ['10.0.0.7'], ['127.0.0.1', '169.254.169.254'], ['::ffff:127.0.0.2'], []]
  await using channel = createOpenGuardedChannel({
    allowHosts: ['127.0.0.1'],
    resolver: async () => resolutions.shift() ?? [],
  })()
  const url = `http://rebinding.example.com:${port}/`
  expect(await channel.post(url, request)).toMatchObject({ status: 200 })
  for (const reason of ['forbidden_address', 'forbidden_address', 'forbidden_address', 'unresolvable']) {
    await expect(channel.post(url, request)).rejects.toMatchObject({ name: 'UntrustedFetchError', reason })
  }
  expect(receivedRequests).toBe(1)
})

it('a literal address that is not allowed is refused before a connection', async () => {
  await using channel = createOpenGuardedChannel({ allowHosts: [] })()
  await expect(channel.post(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({ reason: 'forbidden_address' })
  await expect(channel.post('http://[::1]/', request)).rejects.toMatchObject({ reason: 'forbidden_address' })
  expect(receivedRequests).toBe(1)
})

it('an address can be checked without a connection', async () => {
  const requireAllowedAddress = createRequireAllowedAddress({
    allowHosts: [],
    resolver: async (name) => (name === 'in.example.com' ? ['10.1.1.1'] : ['93.184.215.14']),
  })
  await requireAllowedAddress('https://out.example.com/hook')
  await expect(requireAllowedAddress('https://in.example.com/hook')).rejects.toMatchObject({ reason: 'forbidden_address' })
})
