import { afterAll, beforeAll, expect, it } from 'vitest'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openHttpService, type HttpResponse, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const protectedRoutes: [method: string, path: string][] = [
  ['POST', '/v2/model-center/tasks'],
  ['GET', '/v2/model-center/tasks'],
  ['GET', '/v2/model-center/tasks/task_x'],
  ['POST', '/v2/model-center/tasks/task_x/cancel'],
  ['POST', '/v2/model-center/tasks/quote'],
  ['GET', '/v2/model-center/models'],
  ['GET', '/v2/model-center/models/imgA-5.0'],
  ['POST', '/v1/vidC/videos'],
  ['GET', '/v1/vidC/videos/task_x'],
  ['GET', '/v2/credits'],
]

function expectRefusal(response: HttpResponse, code: string): void {
  expect([response.status, response.json.error.type, response.json.error.code]).toEqual([401, 'authentication_error', code])
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
}

it.each(protectedRoutes)('%s %s requires a key', async (method, path) => {
  expectRefusal(await service.request(method, path, { key: null }), 'missing_api_key')
  expectRefusal(await service.request(method, path, { key: `fg_live_${'x'.repeat(43)}` }), 'invalid_api_key')
})

it.each([
  ['', 'missing_api_key'],
  ['Bearer', 'missing_api_key'],
  ['Bearer  ', 'missing_api_key'],
  ['Basic dXNlcjpwYXNz', 'invalid_api_key'],
  ['Bearer two words', 'invalid_api_key'],
  [`Bearer ${'x'.repeat(5000)}`, 'invalid_api_key'],
])('the Authorization header "%.20s" is rejected', async (authorization, code) => {
  expectRefusal(await service.request('GET', '/v2/credits', { key: null, headers: { authorization } }), code)
})

it('the authentication scheme is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    const headers = { authorization: `${scheme} ${service.key}` }
    expect((await service.request('GET', '/v2/credits', { key: null, headers })).status).toBe(200)
  }
})

it('an error names the scope that a key lacks', async () => {
  const reader = await service.newAccount(1, ['tasks:read'])
  const writer = await service.newAccount(1, ['tasks:write'])
  const body = { model: 'imgA-5.0', prompt: 'x' }
  const refused = await service.request('POST', '/v2/model-center/tasks', { key: reader.key, body })
  expect([refused.status, refused.json.error.code, refused.json.error.type]).toEqual([
    403,
    'key_scope_missing',
    'permission_error',
  ])
  expect(refused.json.error.message).toContain('tasks:write')
  expect((await service.request('GET', '/v2/model-center/tasks', { key: reader.key })).status).toBe(200)
  expect((await service.request('POST', '/v2/model-center/tasks', { key: writer.key, body })).status).toBe(202)
  expect((await service.request('GET', '/v2/model-center/tasks', { key: writer.key })).json.error.code).toBe('key_scope_missing')
})

it('expiry, revocation, suspension and closing apply also to a key that was just in use', async () => {
  const { accountNo } = await service.newAccount(1)
  const issueKey = (expiresAtMs: number | null) =>
    service.keys.issueKey({ accountNo, name: 'x', scopes: ['tasks:read'], expiresAtMs })
  const statusOf = async (key: string) => (await service.request('GET', '/v2/credits', { key })).status

  const expiring = await issueKey(Date.now() + 3_600_000)
  expect(await statusOf(expiring.key)).toBe(200)
  service.clockAheadMs = 3_600_001
  expect(await statusOf(expiring.key)).toBe(401)
  service.clockAheadMs = 0

  const revoked = await issueKey(null)
  expect(await statusOf(revoked.key)).toBe(200)
  expect(await service.keys.revokeKey(revoked.id)).toBe(true)
  expect(await statusOf(revoked.key)).toBe(401)
  expect(await service.keys.revokeKey(revoked.id)).toBe(false)

  const setStatus = async (status: 'suspended' | 'closed' | 'active') => {
    await service.store.database.updateTable('accounts').set({ status }).where('no', '=', accountNo).execute()
    await service.keys.reload()
  }
  const lastKey = await issueKey(null)
  expect(await statusOf(lastKey.key)).toBe(200)
  await setStatus('suspended')
  const suspended = await service.request('GET', '/v2/credits', { key: lastKey.key })
  expect([suspended.status, suspended.json.error.code]).toEqual([403, 'account_suspended'])
  await setStatus('closed')
  expect(await statusOf(lastKey.key)).toBe(401)
  await setStatus('active')
  expect(await statusOf(lastKey.key)).toBe(200)
})

it('the configured key is the only bootstrap key of its account', async () => {
  const { accountNo } = await service.newAccount(1)
  const statusOf = async (key: string) => (await service.request('GET', '/v2/credits', { key })).status
  for (const key of ['first-bootstrap-key', 'second-bootstrap-key', 'first-bootstrap-key', 'first-bootstrap-key']) {
    await service.keys.ensureBootstrapKey(accountNo, key)
    expect(await statusOf(key)).toBe(200)
  }
  expect(await statusOf('second-bootstrap-key')).toBe(401)
  await expect(service.keys.ensureBootstrapKey(service.accountNo, 'first-bootstrap-key')).rejects.toThrow(/another account/)
})

it('the table api_keys contains no key in plain text', async () => {
  const rows = await service.store.database.selectFrom('api_keys').selectAll().execute()
  expect(service.key).toMatch(/^fg_live_[\w-]{43}$/)
  expect(JSON.stringify(rows)).not.toContain(service.key.slice(8))
})

it('requests for resources of another account get the same response as for nonexistent ones', async () => {
  const owner = await service.newAccount(1)
  const stranger = await service.newAccount(1)
  const { id } = (
    await service.request('POST', '/v2/model-center/tasks', { key: owner.key, body: { model: 'imgA-5.0', prompt: 'x' } })
  ).json
  const missingId = `${id.slice(0, -4)}0000`
  const routes: [string, (id: string) => string][] = [
    ['GET', (task) => `/v2/model-center/tasks/${task}`],
    ['GET', (task) => `/v2/model-center/tasks/${task}?wait=5`],
    ['GET', (task) => `/v1/vidC/videos/${task}`],
    ['POST', (task) => `/v2/model-center/tasks/${task}/cancel`],
  ]
  for (const [method, path] of routes) {
    const [foreignResponse, unknownResponse] = [
      await service.request(method, path(id), { key: stranger.key }),
      await service.request(method, path(missingId), { key: stranger.key }),
    ]
    expect(foreignResponse.status).toBe(404)
    expect(comparableOf(foreignResponse)).toEqual(comparableOf(unknownResponse))
  }
  expect((await service.request('GET', '/v2/model-center/tasks', { key: stranger.key })).json.items).toEqual([])
  expect((await service.request('GET', `/v2/model-center/tasks/${id}`, { key: owner.key })).json.status).toBe('queued')
})

function comparableOf({ text, headers }: HttpResponse): unknown {
  const requestId = headers.get('x-request-id') ?? ''
  const names = [...headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name))
  return [text.replace(requestId, ''), names.map((name) => [name, headers.get(name)])]
}

it('thousands of spellings of one Authorization header are accepted, and are not cached', { timeout: 120_000 }, async () => {
  const spellings = 3_000
  const spacesMin = 12_000
  await send(1)
  const bytesBefore = heapBytes()
  for (let spaces = spacesMin; spaces < spacesMin + spellings; spaces += 50) {
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, index) => send(spaces + index)))
    expect(new Set(statuses)).toEqual(new Set([404]))
  }
  expect((heapBytes() - bytesBefore) / 1024 ** 2).toBeLessThan(15)
})

async function send(spaces: number): Promise<number> {
  const authorization = `Bearer${' '.repeat(spaces)}${service.key}`
  const response = await fetch(`${service.baseUrl}/v2/model-center/tasks/task_x`, { headers: { authorization } })
  await response.arrayBuffer()
  return response.status
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
