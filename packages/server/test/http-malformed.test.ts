import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, timeoutCheckMs: 100 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

function expectResponse(received: string, status: number, code: string): void {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w+`))
  expect(head.toLowerCase()).toContain('content-type: application/json')
  expect(head.toLowerCase()).toContain('connection: close')
  const { error } = JSON.parse(body)
  expect(error).toMatchObject({ code, type: expect.any(String), message: expect.any(String), param: null })
  expect(head.toLowerCase()).toContain(`x-request-id: ${error.request_id}`)
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length)
}

it.each([
  ['nonsense', 'nonsense\r\n\r\n', 400],
  ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['another version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['two lengths', 'POST /api/v2/model-center/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  ['length and chunks', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
])('malformed bytes get 400: %s', async (_name, text, status) => {
  expectResponse(await service.raw(text), status, 'invalid_request')
})

it('a request without Host gets 400', async () => {
  expectResponse(await service.raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'invalid_request')
})

it.each([
  ['two Host fields', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n'],
  ['the same Host twice', 'GET /healthz HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nhOST: x\r\n'],
  ['two Host fields of HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n'],
  ['two Host fields beside an address with a host', 'GET http://x/healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n'],
  ['two Host fields where there is no route', 'POST /nowhere HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: 0\r\n'],
])('requests with %s get 400, and their connection is closed', async (_, head) => {
  expectResponse(await service.raw(`${head}\r\n`), 400, 'invalid_request')
})

it('the connection of a request without Host is closed', async () => {
  expectResponse(await service.raw('GET /healthz HTTP/1.1\r\n\r\n'), 400, 'invalid_request')
})

it('a request target or a header over the limit gets 431', async () => {
  expectResponse(await service.raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431, 'headers_too_large')
  expectResponse(await service.raw(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`), 431, 'headers_too_large')
})

it('headers that do not end get 408', async () => {
  expectResponse(await service.raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '), 408, 'request_timeout')
})

it('a body that does not end gets 408', async () => {
  const head = `POST /api/v2/model-center/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`
  expectResponse(
    await service.raw(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"mo`),
    408,
    'request_timeout',
  )
})

it('broken chunks get 400', async () => {
  const head = `POST /api/v2/model-center/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`
  const received = await service.raw(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)
  expectResponse(received, 400, 'invalid_request')
})

it('a CONNECT request is rejected and opens no tunnel', async () => {
  expectResponse(await service.raw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'), 405, 'method_not_allowed')
})

it('requests with Upgrade or an unknown Expect header are handled like any other request', async () => {
  const close = 'Connection: close\r\n\r\n'
  expect(await service.raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n${close}`)).toContain('{"status":"ok"}')
  expect(await service.raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${close}`)).toContain('{"status":"ok"}')
})

it('the service continues after clients that disconnect at any point', async () => {
  const port = Number(new URL(service.origin).port)
  const head = `POST /api/v2/model-center/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`
  const body = '{"model":"imgA-5.0","prompt":"x"}'
  for (const text of [
    'GET /heal',
    `${head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"model":`,
    `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ]) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(text, () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  expect((await service.request('GET', '/v2/credits')).status).toBe(200)
})
