import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it, vi } from 'vitest'
import { RequestPasser } from './pass-requests.ts'
import { PassedRequests } from './passed-requests.ts'

const idleMs = 100
/** Size of a body that fits into no buffer between a client and the main thread. */
const unreadBytes = 16 * 1024 * 1024
const openedServers: Server[] = []

afterEach(() => {
  for (const server of openedServers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function listen(server: Server): Promise<number> {
  openedServers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Returns the port of a server that passes all requests to `main`, and closes idle connections. */
async function passTo(main: RequestListener): Promise<number> {
  const passer = new RequestPasser({ port: await listen(createServer(main)), token: '' })
  const server = createServer((request, response) => {
    // Not `server.timeout`, which on a busy machine could pass before the client has sent its request.
    request.socket.setTimeout(idleMs)
    passer.passRequest(request, response)
  })
  return await listen(server)
}

it('a response that begins after the idle timeout of the connection reaches the client', async () => {
  const port = await passTo(async (_request, response) => {
    await sleep(5 * idleMs)
    response.end('late')
  })
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late')
})

it('an event stream that is silent for longer than the idle timeout reaches the client completely', async () => {
  const port = await passTo(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('data: 1\n\n')
    await sleep(5 * idleMs)
    response.end('data: 2\n\n')
  })
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('data: 1\n\ndata: 2\n\n')
})

it('a client that does not read a response is disconnected after the idle timeout', async () => {
  let responseEnded: Promise<unknown> | undefined
  const port = await passTo((_request, response) => {
    responseEnded = once(response, 'close')
    response.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  // Not `once`, which rejects if the connection is reset.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await vi.waitUntil(() => responseEnded, { timeout: 10_000 })
  await responseEnded
  socket.resume()
  await closed
  expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024)
})

it('pipelined requests are passed one after the other over one connection, until the client disconnects', async () => {
  let [connectionCount, runningCount, runningMax] = [0, 0, 0]
  const paths: (string | undefined)[] = []
  const main = createServer(async ({ url }, response) => {
    paths.push(url)
    runningMax = Math.max(runningMax, ++runningCount)
    await sleep(5)
    runningCount -= 1
    if (url !== '/last') response.end(`response to ${url}`)
  })
  main.on('connection', () => connectionCount++)
  using passer = new RequestPasser({ port: await listen(main), token: '' })
  const port = await listen(createServer((request, response) => passer.passRequest(request, response)))
  const socket = connect(port, '127.0.0.1')
  const pipelined = ['/1', '/2', '/3', '/4', '/last', '/never'].map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  socket.write(pipelined.join(''))
  await expect.poll(() => paths).toEqual(['/1', '/2', '/3', '/4', '/last'])
  const responses = String(socket.read())
  expect(responses.match(/response to \/\d/g)).toEqual(['/1', '/2', '/3', '/4'].map((path) => `response to ${path}`))
  expect([connectionCount, runningMax]).toEqual([1, 1])
  socket.destroy()
  await expect.poll(() => promisify((callback) => main.getConnections(callback))()).toBe(0)
  expect(paths).not.toContain('/never')
})

/** Returns the response of a service with threads to a request that an HTTP thread has received. */
async function sendThroughThread(app: FastifyInstance, request: string): Promise<string> {
  await app.ready()
  using passedRequests = await PassedRequests.open(app)
  using passer = new RequestPasser(passedRequests.target)
  const threadServer = createServer({ requireHostHeader: false }, (received, response) => passer.passRequest(received, response))
  const socket = connect(await listen(threadServer), '127.0.0.1')
  socket.write(request)
  return await text(socket)
}

it('a passed POST without a body has no chunks', async () => {
  const app = Fastify()
  app.post('/', ({ headers }) => ({ length: headers['content-length'], encoding: headers['transfer-encoding'] }))
  const response = await sendThroughThread(app, 'POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  expect(response).toContain('200 OK')
  expect(response).toContain('{"length":"0"}')
})

it('a passed request has the HTTP version of the client, and the fields that the client sent', async () => {
  const app = Fastify()
  app.get('/', ({ raw: { httpVersion, rawHeaders } }) => ({ httpVersion, rawHeaders }))
  const response = await sendThroughThread(app, 'GET / HTTP/1.0\r\nAccept: */*\r\n\r\n')
  expect(response).toContain('{"httpVersion":"1.0","rawHeaders":["Accept","*/*"')
  expect(response).not.toContain('x-framegate')
})

it('the rest of a body is discarded if the response ends before the body', async () => {
  const app = Fastify({ bodyLimit: 1 })
  app.get('/', () => 'the next response')
  const requests = [
    `POST /unknown HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${unreadBytes}\r\n\r\n`,
    'x'.repeat(unreadBytes),
    'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
  ]
  const responses = await sendThroughThread(app, requests.join(''))
  expect(responses).toContain('404 Not Found')
  expect(responses).toContain('the next response')
})

it('a request with the maximum number of header fields is passed', async () => {
  const app = Fastify()
  app.get('/', ({ raw: { rawHeaders } }) => ({ fieldCount: rawHeaders.length / 2 }))
  const fields = `host: localhost\r\nconnection: close\r\n${'a:\r\n'.repeat(998)}`
  const response = await sendThroughThread(app, `GET / HTTP/1.1\r\n${fields}\r\n`)
  // The thread adds the length of the empty body.
  expect(response).toContain('{"fieldCount":1000}')
})
