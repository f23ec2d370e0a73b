import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApiKeyText } from '../src/auth/api-key.ts'
import { createApiKeys, type ApiKeys } from '../src/auth/api-keys.ts'
import { StoreUnavailable } from '../src/db/store-unavailable.ts'
import { systemClock } from '../src/lib/clock.ts'
import { openHttpService, type HttpService } from './http-service.ts'

/**
 * A service that shares its store with another process and gets no notification of that process's
 * changes.
 */
let service: HttpService
let otherProcess: ApiKeys

beforeEach(async () => {
  service = await openHttpService({
    changeStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'isShared') return true
          if (name === 'onConfigChanged') return () => () => undefined
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      }),
  })
  otherProcess = await createApiKeys(service.store, systemClock)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await otherProcess[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const issueKey = (limits: { requestsPerSecondMax?: number } = {}) =>
  otherProcess.issueKey({
    accountNo: service.accountNo,
    name: 'new',
    scopes: ['tasks:read', 'tasks:write'],
    expiresAtMs: null,
    ...limits,
  })

it('a key created by another process works on its first request, which has a body, and its limits and scopes apply', async () => {
  const { key } = await issueKey({ requestsPerSecondMax: 5 })
  const body = { model: 'imgA-5.0', prompt: 'a kite' }
  const submitted = await service.request('POST', '/v2/model-center/tasks', { key, body })
  expect([submitted.status, submitted.headers.get('ratelimit-policy')]).toEqual([202, '"requests";q=5;w=1'])
  const refused = await service.request('GET', '/admin/v1/brands', { key: (await issueKey()).key })
  expect([refused.status, refused.json.error.code]).toEqual([403, 'key_scope_missing'])
})

it('an unknown key gets 401 with WWW-Authenticate and invalid_api_key each time', async () => {
  const key = createApiKeyText()
  for (let times = 0; times < 2; times++) {
    const { status, headers, json } = await service.request('GET', '/v2/credits', { key })
    expect([status, headers.get('www-authenticate'), json.error.code]).toEqual([401, 'Bearer', 'invalid_api_key'])
  }
})

it('no key is reported as invalid while the database is unavailable, and known keys keep working', async () => {
  const { key } = await issueKey()
  const selectSpy = vi.spyOn(service.store.database, 'selectFrom').mockImplementation(() => {
    throw new StoreUnavailable()
  })
  const duringOutage = await service.request('GET', '/v2/model-center/models', { key })
  expect([duringOutage.status, duringOutage.json.error.code, duringOutage.headers.get('retry-after')]).toEqual([
    503,
    'overloaded',
    '5',
  ])
  expect((await service.request('GET', '/v2/model-center/models')).status).toBe(200)
  selectSpy.mockRestore()
  expect((await service.request('GET', '/v2/model-center/models', { key })).status).toBe(200)
})
