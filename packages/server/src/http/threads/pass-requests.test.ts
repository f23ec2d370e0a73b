import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { RequestPasser } from './pass-requests.ts'

const idleMs = 100
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
  const server = createServer((request, response) => passer.passRequest(request, response))
  server.timeout = idleMs
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
  const port = await passTo((_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024)))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await sleep(10 * idleMs)
  socket.resume()
  await once(socket, 'close')
  expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024)
})
