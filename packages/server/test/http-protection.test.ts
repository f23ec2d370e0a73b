import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyRequest, unknownResources } from './every-request.ts'
import { openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  // A request for images waits for the end of its tasks. No worker runs tasks in this test, so each
  // such request waits for the whole timeout.
  service = await openHttpService({ limits: { imagesWaitTimeoutMs: 100 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const protectiveHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
const protectionOf = (headers: Headers) =>
  Object.fromEntries(Object.keys(protectiveHeaders).map((name) => [name, headers.get(name)]))

const allRequests = everyRequest({ ...unknownResources, accountId: 'acct_1', idempotencyKey: 'order-1' })

it.each([
  ['to a valid key', () => service.key],
  ['without a key', () => null],
  ['to a wrong key', () => `fg_live_${'A'.repeat(43)}`],
])(
  'every response %s forbids type sniffing, scripts and frames, and all but the OpenAPI document forbid caching',
  async (_to, keyOf) => {
    expect(allRequests.length).toBeGreaterThan(60)
    for (const { method, path, headers, body } of allRequests) {
      const response = await service.request(method, service.origin + path, {
        key: keyOf(),
        headers,
        ...(body !== undefined && { body }),
      })
      const expected = path === '/api/openapi.json' ? { ...protectiveHeaders, 'cache-control': 'no-cache' } : protectiveHeaders
      expect([method, path, response.status, protectionOf(response.headers)]).toEqual([method, path, response.status, expected])
    }
  },
)

it.each([
  ['GET', '/nothing', 404],
  ['GET', '/v2/model-center/tasks/%zz', 400],
  ['DELETE', '/v2/credits', 405],
  ['OPTIONS', '/v2/credits', 204],
  ['POST', '/v2/model-center/tasks', 400],
])('an error response and a response to OPTIONS have the protective headers: %s %s', async (method, path, status) => {
  const response = await service.request(method, path, { rawBody: method === 'POST' ? '{' : null, headers: jsonHeaders(method) })
  expect([response.status, protectionOf(response.headers)]).toEqual([status, protectiveHeaders])
})

it.each([
  ['nonsense', 'nonsense\r\n\r\n', 400],
  ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a CONNECT request', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
])('a response to %s has the protective headers', async (_name, request, status) => {
  const received = await service.raw(request)
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  for (const [name, value] of Object.entries(protectiveHeaders)) expect(received).toContain(`${name}: ${value}\r\n`)
})

it('a result may be embedded and cached while its link is valid, and may run no scripts', async () => {
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'x' } })).json
  await service.startAll()
  await service.complete(id)
  const { result_url: link } = (await service.request('GET', `/v2/model-center/tasks/${id}`)).json
  const protection = protectionOf((await service.fetch(link)).headers)
  expect(protection).toEqual({
    'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    'x-content-type-options': 'nosniff',
  })
  expect(protection['content-security-policy']).not.toContain('frame-ancestors')
  expect(protectionOf((await service.fetch(`${link}0`)).headers)).toEqual(protectiveHeaders)
})

function jsonHeaders(method: string): Record<string, string> {
  return method === 'POST' ? { 'content-type': 'application/json' } : {}
}
