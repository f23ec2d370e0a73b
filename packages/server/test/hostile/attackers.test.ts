import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvText } from '../../src/lib/csv-text.ts'
import { everyRequest, unknownResources } from '../every-request.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { plainPng } from '../plain-png.ts'

let service: HttpService
let accountId: string
beforeAll(async () => {
  service = await openHttpService()
  accountId = (await service.request('GET', '/admin/v1/accounts')).json.items[0].id
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/**
 * Advances the service's clock before each request, because this many requests at once would exceed
 * the rate limit.
 */
const request: HttpService['request'] = (...args) => {
  service.clockAheadMs += 100
  return service.request(...args)
}

const imageTask = { model: 'imgA-5.0', prompt: 'a fox' }

describe('fields that a client must not set', () => {
  it.each<[string, string, () => string, object, string[]]>([
    [
      'a task',
      'POST',
      () => '/v2/model-center/tasks',
      imageTask,
      ['amount', 'account', 'id', 'status', 'created', 'key', 'brand', 'priority'],
    ],
    ['a quote', 'POST', () => '/v2/model-center/tasks/quote', imageTask, ['amount', 'available', 'price']],
    [
      'an asset',
      'POST',
      () => '/v2/assets/import',
      { url: 'https://example.com/a.png' },
      ['id', 'account', 'content_type', 'sha256'],
    ],
    ['an account', 'POST', () => '/admin/v1/accounts', { name: 'other' }, ['id', 'balance', 'credits', 'status', 'no']],
    ['a change of an account', 'PATCH', () => `/admin/v1/accounts/${accountId}`, {}, ['id', 'balance', 'brand', 'brand_no']],
    [
      'a key',
      'POST',
      () => `/admin/v1/accounts/${accountId}/keys`,
      { name: 'mine' },
      ['id', 'key', 'account', 'digest', 'revoked_at'],
    ],
    ['a grant', 'POST', () => `/admin/v1/accounts/${accountId}/grants`, { amount: 1 }, ['account', 'kind', 'balance_after']],
    ['a brand', 'POST', () => '/admin/v1/brands', { name: 'other' }, ['id', 'is_default', 'no', 'created']],
  ])('fields that a client must not set are refused by name: %s', async (_what, method, path, body, names) => {
    const stateBefore = await readState()
    for (const name of names) {
      const response = await request(method, path(), { body: { ...body, [name]: 'mine' } })
      expect([name, response.status, response.json.error.param]).toEqual([name, 400, name])
    }
    expect(await readState()).toEqual(stateBefore)
  })
})

async function readState(): Promise<unknown[]> {
  const paths = ['/v2/model-center/tasks', '/v2/assets', '/v2/credits', '/admin/v1/accounts', '/admin/v1/brands']
  return await Promise.all(paths.map(async (path) => (await request('GET', path)).json))
}

const pollution = '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}'

describe('property names of JavaScript', () => {
  const requests = everyRequest({ ...unknownResources, accountId: 'acct_1', idempotencyKey: 'order-1' }).filter(
    ({ body }) => body !== undefined,
  )

  it('a body with JavaScript property names in any object is refused and changes no prototype', async () => {
    expect(requests.length).toBeGreaterThan(15)
    for (const { method, path, body } of requests) {
      const text = JSON.stringify(body)
      // Adds the names at the top level, and in each nested object.
      for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
        const isEmpty = text[start + 1] === '}'
        const rawBody = `${text.slice(0, start + 1)}${pollution}${isEmpty ? '' : ','}${text.slice(start + 1)}`
        const headers = { 'content-type': 'application/json' }
        const { status } = await request(method, service.origin + path, { rawBody, headers })
        expect([400, 404], `${method} ${path} ${rawBody}: ${status}`).toContain(status)
        expect(({} as { polluted?: string }).polluted).toBeUndefined()
      }
    }
  })

  it.each([
    '__proto__=1',
    '__proto__[polluted]=yes',
    'constructor=1',
    'constructor[prototype][polluted]=yes',
    'hasOwnProperty=1',
    'toString',
  ])('a JavaScript property name is refused as a query parameter: %s', async (query) => {
    const { status, json } = await request('GET', `/v2/model-center/tasks?${query}`)
    expect([status, json.error.code]).toEqual([400, 'unknown_parameter'])
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a JavaScript property name is no id of a model, task, asset, account, brand or upstream: %s',
    async (name) => {
      for (const path of [
        '/v2/model-center/models',
        '/v2/model-center/tasks',
        '/v2/assets',
        '/admin/v1/accounts',
        '/admin/v1/brands',
      ]) {
        expect([path, (await request('GET', `${path}/${name}`)).status]).toEqual([path, 404])
      }
      expect((await request('POST', '/v2/model-center/tasks', { body: { ...imageTask, model: name } })).status).toBe(404)
      expect((await request('DELETE', `/admin/v1/upstreams/${name}`)).status).toBe(404)
    },
  )
})

describe('text that would end a header or a line', () => {
  it('line breaks and control characters are removed from the name of an asset', async () => {
    const boundary = 'xxBOUNDARYxx'
    const form = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nfox\r\nSet-Cookie: a=b\u0000\u2028\r\n`),
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`),
      plainPng(16, 16),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const created = await request('POST', '/v2/assets', { rawBody: form, headers })
    expect(created.status).toBe(201)
    expect(created.json.name).toBe('foxSet-Cookie: a=b')
    const file = await service.fetch(created.json.url)
    expect(file.headers.get('content-disposition')).toMatch(/^inline; filename="asset_[0-9a-f]+\.png"$/)
    expect(file.headers.get('set-cookie')).toBeNull()
  })

  it('the Host header of a request does not appear in links', async () => {
    const { id } = (await request('POST', '/v2/model-center/tasks', { body: imageTask })).json
    await service.startAll()
    await service.complete(id)
    const view = await request('GET', `/v2/model-center/tasks/${id}`, { host: 'evil.example' })
    expect(new URL(view.json.result_url).origin).toBe(service.origin)
    const { headers } = await request('POST', '/v2/model-center/tasks', { body: imageTask, host: 'evil.example' })
    expect(headers.get('location')).toMatch(/^\/api\/v2\//)
  })
})

it.each(['=1+1', '+1', '-1+1', '@SUM(1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1', '＋1', '－1', '＠SUM(1)'])(
  'the value %j is escaped in a CSV export, so that a spreadsheet reads it as text',
  (text) => {
    const [, cell = ''] = csvText(['note'], [[text]]).split('note\r\n')
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
  },
)
