import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService, type RequestOptions, type TestAccount } from './http-service.ts'

// Tests of an account's webhooks, without deliveries.

const webhooksPath = '/v2/webhooks'
const tasksPath = '/v2/model-center/tasks'
const url = 'https://example.com/hook'

let service: HttpService
let account: TestAccount
beforeAll(async () => {
  service = await openHttpService({ allowHosts: ['127.0.0.1:8001', 'receiver.internal'] })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await service.newAccount(100)
})
afterEach(() => {
  service.clockAheadMs = 0
})

const request = (method: string, path: string, body?: object, options: RequestOptions = {}) =>
  service.request(method, path, { key: account.key, ...(body && { body }), ...options })
const create = (body: object = {}) => request('POST', webhooksPath, { url, ...body })

describe('a webhook', () => {
  it('only the response that creates a webhook contains its secret', async () => {
    const created = await create({ description: 'shop' })
    expect(created.status).toBe(201)
    const { secret, ...view } = created.json
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created.headers.get('location')).toBe(`/api${webhooksPath}/${view.id}`)
    expect(view).toMatchObject({
      object: 'webhook',
      url,
      description: 'shop',
      events: ['task.completed', 'task.failed'],
      enabled: true,
      disabled_reason: null,
      format: 'standard',
      rate_limit: null,
      failing_since: null,
    })
    expect((await request('GET', `${webhooksPath}/${view.id}`)).json).toEqual(view)
    expect((await request('GET', webhooksPath)).json).toEqual({
      object: 'list',
      items: [view],
      has_more: false,
      next_cursor: null,
    })
  })

  it('the tables of webhooks do not contain their secrets in plain text', async () => {
    const { secret } = (await create()).json
    const { secret: accountSecret } = (await request('GET', `${webhooksPath}/secret`)).json
    for (const table of ['webhook_endpoints', 'webhook_secrets'] as const) {
      const text = JSON.stringify(await service.store.database.selectFrom(table).selectAll().execute())
      for (const value of [secret, accountSecret]) expect(text).not.toContain(value.slice('whsec_'.length))
    }
  })

  it('a change keeps the fields that the request omits, and a rotation replaces the secret', async () => {
    const { id, secret } = (await create()).json
    const changed = await request('PATCH', `${webhooksPath}/${id}`, {
      events: ['task.failed', 'credits.low'],
      rate_limit: 5,
      enabled: false,
    })
    expect(changed.json).toMatchObject({ id, url, events: ['task.failed', 'credits.low'], rate_limit: 5, enabled: false })
    const repeated = await request('PATCH', `${webhooksPath}/${id}`, { rate_limit: null, url: 'https://example.com/other' })
    expect(repeated.json).toMatchObject({
      events: ['task.failed', 'credits.low'],
      rate_limit: null,
      enabled: false,
      url: 'https://example.com/other',
    })
    const rotated = await request('POST', `${webhooksPath}/${id}/rotate-secret`)
    expect(rotated.json.secret).not.toBe(secret)
  })

  it('a webhook of another account and a deleted webhook are not found', async () => {
    const { id } = (await create()).json
    const otherAccount = await service.newAccount(1)
    const resendPath = `${webhooksPath}/${id}/deliveries/whd_1/resend`
    for (const [method, path, body] of [
      ['GET', `${webhooksPath}/${id}`],
      ['PATCH', `${webhooksPath}/${id}`, { enabled: false }],
      ['DELETE', `${webhooksPath}/${id}`],
      ['POST', `${webhooksPath}/${id}/test`],
      ['POST', `${webhooksPath}/${id}/rotate-secret`],
      ['POST', `${webhooksPath}/${id}/resend-failed`, { since: 0 }],
      ['GET', `${webhooksPath}/${id}/deliveries`],
      ['POST', resendPath],
    ] as const) {
      const refused = await request(method, path, body, { key: otherAccount.key })
      expect([path, refused.status, refused.json.error.code]).toEqual([path, 404, 'webhook_not_found'])
    }
    expect((await request('POST', resendPath)).json.error.code).toBe('delivery_not_found')
    expect((await request('DELETE', `${webhooksPath}/${id}`)).json).toEqual({ id, object: 'webhook', deleted: true })
    expect((await request('GET', `${webhooksPath}/${id}`)).status).toBe(404)
    expect((await request('GET', webhooksPath)).json.items).toEqual([])
  })

  it('webhooks need a key with the scope webhooks:write', async () => {
    const { key } = await service.newAccount(1, ['tasks:read', 'tasks:write'])
    for (const [method, path] of [
      ['GET', webhooksPath],
      ['POST', webhooksPath],
      ['GET', `${webhooksPath}/secret`],
      ['POST', `${webhooksPath}/secret/rotate`],
    ] as const) {
      const refused = await request(method, path, method === 'POST' ? { url } : undefined, { key })
      expect([refused.status, refused.json.error.code]).toEqual([403, 'key_scope_missing'])
      expect(refused.json.error.message).toContain('webhooks:write')
    }
  })

  it('an account has at most 20 webhooks, also when it creates them at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 24 }, () => create()))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = created.find(({ status }) => status === 409)
    expect(refused?.json.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('20 webhooks') })
    const [firstWebhook] = (await request('GET', webhooksPath)).json.items
    await request('DELETE', `${webhooksPath}/${firstWebhook.id}`)
    expect((await create()).status).toBe(201)
    const page = (await request('GET', `${webhooksPath}?limit=15`)).json
    expect([page.items.length, page.has_more]).toEqual([15, true])
    expect((await request('GET', `${webhooksPath}?limit=15&cursor=${page.next_cursor}`)).json.items).toHaveLength(5)
  })

  it('invalid fields of a webhook are rejected by name', async () => {
    for (const [body, param, expectedText] of [
      [{}, 'url', 'starts with https://'],
      [{ url: 'example.com' }, 'url', 'https://'],
      [{ url, events: [] }, 'events', 'task.completed'],
      [{ url, events: ['task.done'] }, 'events', 'credits.low'],
      [{ url, rate_limit: 0 }, 'rate_limit', '1 to 1000'],
      [{ url, format: 'xml' }, 'format', 'standard, openai'],
      [{ url, format: 'openai', events: ['task.processing'] }, 'events', 'openai'],
      [{ url, secret: 'x' }, 'secret', 'no field'],
    ] as const) {
      const refused = await request('POST', webhooksPath, body)
      expect([refused.status, refused.json.error.param]).toEqual([400, param])
      expect(refused.json.error.message).toContain(expectedText)
    }
    const { id } = (await create({ format: 'openai' })).json
    expect((await request('PATCH', `${webhooksPath}/${id}`, { format: 'standard' })).json.error.code).toBe('unknown_parameter')
    expect((await request('PATCH', `${webhooksPath}/${id}`, { events: ['credits.low'] })).json.error.param).toBe('events')
    expect((await request('GET', `${webhooksPath}/${id}/deliveries?cursor=whd_x`)).json.error.param).toBe('cursor')
    expect((await request('POST', `${webhooksPath}/${id}/resend-failed`, {})).json.error.param).toBe('since')
  })
})

const hostileUrls = [
  'http://example.com/hook',
  'ftp://example.com/hook',
  'https://127.0.0.1/hook',
  'https://127.0.0.1:8002/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://localhost./',
  'https://db/',
  'https://10.0.0.7/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://user:password@example.com/',
  'https://example.com:25/',
  'https://example.com:6379/',
  `https://example.com/${'a'.repeat(2050)}`,
  'https://',
]

describe('an address that must not be dialed', () => {
  it('the tests of hostile webhook URLs use at least 20 URLs', () => expect(hostileUrls.length).toBeGreaterThanOrEqual(20))

  it.each(hostileUrls)('the URL %s is rejected for a new webhook, for an existing one, and as webhook_url', async (address) => {
    const refused = await request('POST', webhooksPath, { url: address })
    expect([refused.status, refused.json.error.param]).toEqual([400, 'url'])
    const { id } = (await create()).json
    const changed = await request('PATCH', `${webhooksPath}/${id}`, { url: address })
    expect([changed.status, changed.json.error.param]).toEqual([400, 'url'])
    const task = await request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x', webhook_url: address })
    expect([task.status, task.json.error.param]).toEqual([400, 'webhook_url'])
    expect(
      await service.store.database.selectFrom('webhook_endpoints').select('no').where('url', '=', address).execute(),
    ).toEqual([])
  })

  it('http and private hosts are accepted where the operator allows them', async () => {
    for (const address of ['http://127.0.0.1:8001/hook', 'http://receiver.internal/hook', 'https://127.0.0.1:8001/']) {
      expect((await create({ url: address })).status).toBe(201)
    }
    expect((await create({ url: 'http://127.0.0.1:8003/' })).status).toBe(400)
  })
})

const submit = (body: object = {}, headers: Record<string, string> = {}, path = tasksPath) =>
  request('POST', path, { model: 'imgA-5.0', prompt: 'a boat', ...body }, { headers })

describe('webhook_url', () => {
  it('webhook_url is not a parameter of the model, and an idempotency key with another webhook_url is rejected', async () => {
    const headers = { 'idempotency-key': 'order-1' }
    const firstResponse = await submit({ webhook_url: url }, headers)
    expect(firstResponse.status).toBe(202)
    expect((await submit({ webhook_url: url }, headers)).headers.get('idempotency-replayed')).toBe('true')
    expect((await submit({ webhook_url: `${url}/other` }, headers)).json.error.code).toBe('idempotency_key_reused')
    expect((await submit({}, headers)).json.error.code).toBe('idempotency_key_reused')
    const view = await request('GET', `${tasksPath}/${firstResponse.json.id}`)
    expect(view.text).not.toContain('webhook')
  })

  it('webhook_url is accepted and checked by the v1 interface and by quotes', async () => {
    const video = { model: 'vidC2Stable', prompt: 'x', aspect_ratio: '16:9', seconds: 10 }
    expect((await submit({ ...video, webhook_url: url }, {}, '/v1/vidC/videos')).status).toBe(202)
    expect((await submit({ webhook_url: url }, {}, `${tasksPath}/quote`)).json).toMatchObject({ available: true })
    for (const invalid of ['http://10.0.0.1/', 17, null, '']) {
      expect((await submit({ webhook_url: invalid }, {}, `${tasksPath}/quote`)).json.error.param).toBe('webhook_url')
    }
  })

  it('the secret for webhook_url is the same for each request until it is rotated', async () => {
    const firstSecret = (await request('GET', `${webhooksPath}/secret`)).json
    expect(firstSecret).toMatchObject({
      object: 'webhook_secret',
      secret: expect.stringMatching(/^whsec_/),
      previous_until: null,
    })
    expect((await request('GET', `${webhooksPath}/secret`)).json).toEqual(firstSecret)
    const rotated = (await request('POST', `${webhooksPath}/secret/rotate`)).json
    expect(rotated.secret).not.toBe(firstSecret.secret)
    expect(rotated.previous_until).toBeGreaterThan(Date.now() / 1000 + 86_000)
    service.clockAheadMs = 86_401_000
    expect((await request('GET', `${webhooksPath}/secret`)).json).toEqual({ ...rotated, previous_until: null })
  })
})
