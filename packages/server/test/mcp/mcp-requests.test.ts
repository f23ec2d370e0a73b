import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchAtHost } from '../fetch-at-host.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { connectClient, sendWithoutSession, textOf } from './mcp-clients.ts'

const allowedOrigin = 'https://studio.example.com'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ corsOrigins: [allowedOrigin], limits: { longPollsMax: 0 } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_balance', arguments: {} } })
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
interface SendOptions {
  key?: string | null
  host?: string
  headers?: Record<string, string>
}

interface McpResponse {
  status: number
  headers: Headers
  text: string
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

/**
 * Sends a message. The OpenAPI document does not describe the endpoint, so no response is checked
 * against it.
 */
async function send(body: unknown, { key = service.key, host, headers = {} }: SendOptions = {}): Promise<McpResponse> {
  const init = {
    method: 'POST',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  }
  const url = `${service.baseUrl}/mcp`
  const response = await (host === undefined ? fetch(url, init) : fetchAtHost(url, host, init))
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

it('an MCP request without a valid key is rejected with 401', async () => {
  const refused = await send(initialize, { key: null })
  expect([refused.status, refused.json.error.code]).toEqual([401, 'missing_api_key'])
  expect(refused.json.error.message).toContain('send the header "Authorization: Bearer <API_KEY>"')
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  expect((await send(initialize, { key: 'fg_live_wrong' })).status).toBe(401)
  expect((await service.request('GET', '/.well-known/oauth-protected-resource', { key: null })).status).toBe(404)
})

it('GET and DELETE of the MCP endpoint are rejected, because there are no sessions', async () => {
  for (const method of ['GET', 'DELETE']) {
    const refused = await service.request(method, '/mcp')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  }
})

it('an MCP request of a web page is rejected unless its origin is allowed or is the service itself', async () => {
  const refused = await send(initialize, { headers: { origin: 'https://evil.example.com' } })
  expect([refused.status, refused.json.error.code]).toEqual([403, 'origin_not_allowed'])
  expect((await send(initialize, { headers: { origin: 'null' } })).status).toBe(403)
  for (const origin of [allowedOrigin, service.origin]) expect((await send(initialize, { headers: { origin } })).status).toBe(200)
  const preflight = await service.request('OPTIONS', '/mcp', { key: null, headers: { origin: allowedOrigin } })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version')
})

it('a service on a loopback address rejects MCP requests to unknown hosts, and serves the hosts of its brands', async () => {
  const rebound = { host: 'rebound.example.com', headers: { origin: 'http://rebound.example.com' } }
  const refused = await send(initialize, rebound)
  expect([refused.status, refused.json.error.code]).toEqual([403, 'origin_not_allowed'])
  const { brand } = await service.brands.createBrand({ name: 'Northlight', hosts: ['studio.northlight.example'] })
  const { key } = await service.newAccount(1, undefined, undefined, brand)
  const ofBrand = { key, host: 'studio.northlight.example', headers: { origin: 'http://studio.northlight.example' } }
  expect((await send(initialize, ofBrand)).status).toBe(200)
})

it.each([
  ['a batch of 10,000 calls', Array.from({ length: 10_000 }, (_, id) => call(id)), 400, 'invalid_json'],
  ['a small batch', [call(1), call(2)], 400, 'invalid_request'],
  ['deep JSON', { ...call(1), params: JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as unknown }, 400, 'invalid_json'],
  ['a text', 'hello', 400, 'invalid_json'],
  ['a subscription', { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }, 400, 'invalid_request'],
])('%s is refused as an MCP message', async (_what, body, status, code) => {
  const refused = await send(body)
  expect([refused.status, refused.json.error.code]).toEqual([status, code])
})

it('an MCP body of more than 16 MiB is rejected', async () => {
  const refused = await send({ ...call(1), padding: 'x'.repeat(17 * 1024 * 1024) })
  expect([refused.status, refused.json.error.code]).toEqual([413, 'body_too_large'])
})

it.each([
  ['no method', { jsonrpc: '2.0', id: 1 }, /"code":-32600/],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, /"code":-32601/],
  ['a name that is no text', { ...call(1), params: { name: 7 } }, /"code":-32602/],
  ['a method of a prototype', { jsonrpc: '2.0', id: 1, method: 'constructor' }, /"code":-32601/],
  ['a tool of a prototype', { ...call(1), params: { name: 'constructor' } }, /There is no tool with this name/],
])('an MCP message with %s gets an error', async (_what, body, text) => {
  expect((await send(body)).text).toMatch(text)
})

it('an MCP request is rejected if its headers do not agree with its message', async () => {
  const { status, json } = await sendWithoutSession(
    service,
    'tools/call',
    { name: 'get_balance', arguments: {} },
    { mcpName: 'quote' },
  )
  expect([status, json.error.code]).toEqual([400, -32020])
})

it('an MCP call returns the current state immediately if too many requests are waiting', async () => {
  const client = await connectClient(service, '2026-07-28')
  const args = { model: 'imgA-5.0', prompt: 'No wait', wait_seconds: 50 }
  const result = await client.callTool({ name: 'generate_image', arguments: args }, { timeout: 10_000 })
  expect(textOf(result)).toContain('is queued')
  await client.close()
})

it('each MCP request counts toward the rate limit of its key', async () => {
  const limited = await service.newAccount(1, undefined, { requestsPerSecondMax: 1 })
  const statuses = []
  for (let time = 0; time < 3; time++) {
    statuses.push((await send(call(time), { key: limited.key })).status)
  }
  expect(statuses).toEqual([200, 429, 429])
})
