import type { ErrorBody } from '@framegate/contract'
import type { Parameter } from '@framegate/contract/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scopes } from '../src/auth/scopes.ts'
import { apiDocument } from './documented-responses.ts'
import { openHttpService, type HttpService } from './http-service.ts'

// Most of these tests check that the service rejects the values that the OpenAPI document excludes.
const tasksPath = '/v2/model-center/tasks'
const admin = '/admin/v1'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})
// Each test gets a new key, because all tests together exceed the request rate of an operator's
// key.
beforeEach(async () => {
  const { accountNo } = service
  service.key = (await service.keys.issueKey({ accountNo, name: 'of this test', scopes, expiresAtMs: null })).key
})

interface ParameterSchema {
  type: string
  enum?: string[]
  pattern?: string
  maximum?: number
}

/**
 * The query parameters of GET operations for which the document has an enumeration, a pattern or a
 * maximum.
 */
const restricted = Object.entries(apiDocument.paths).flatMap(([path, { get, servers }]) =>
  servers !== undefined || path.startsWith('/media/')
    ? []
    : (get?.parameters ?? []).flatMap((parameter) => {
        const { name, in: location, schema } = '$ref' in parameter ? ({} as Partial<Parameter>) : parameter
        const rules = schema as ParameterSchema | undefined
        return location === 'query' && (rules?.enum ?? rules?.pattern ?? rules?.maximum) !== undefined
          ? [{ path, name: name ?? '', rules: rules! }]
          : []
      }),
)

it.each(restricted)('$path rejects a $name that the document does not allow', async ({ path, name }) => {
  const url = path.replace('{id}', 'acct_1')
  for (const invalid of ['no%20such%20value', '-1', '99999999999999999']) {
    const { status, json } = await service.request('GET', `${url}?${name}=${invalid}`)
    expect([invalid, status, json.error.code, json.error.param]).toEqual([invalid, 400, 'invalid_parameter', name])
  }
})

it('the document restricts the grouping and the days of usage, and the task of entries and attempts', () => {
  const restrictedNames = new Set(restricted.map(({ path, name }) => `${path} ${name}`))
  for (const expected of [
    '/v2/usage by',
    '/v2/usage from',
    '/v2/usage.csv until',
    '/v2/credits/entries task',
    '/admin/v1/attempts task',
  ]) {
    expect(restrictedNames).toContain(expected)
  }
})

it.each(['day', 'day,model', 'key,day,model', 'model,model'])(
  'usage by %s is accepted, and the pattern of the document matches it',
  async (grouping) => {
    const pattern = restricted.find(({ path, name }) => path === '/v2/usage' && name === 'by')?.rules.pattern ?? ''
    expect(grouping).toMatch(new RegExp(pattern))
    expect((await service.request('GET', `/v2/usage?by=${grouping}`)).status).toBe(200)
  },
)

it.each(['week', 'day,', ',day', 'day,,model', 'Day', ''])('usage by "%s" is rejected', async (grouping) => {
  const { status, json } = await service.request('GET', `/v2/usage?by=${grouping}`)
  expect([status, json.error.message]).toEqual([400, 'by must be a list of day, model, key, such as day,model.'])
})

describe('amounts of credits', () => {
  const account = `${admin}/accounts/acct_1`
  const invalid: [method: string, path: string, field: string, body: object][] = [
    ['POST', `${account}/grants`, 'amount', { amount: 4e-7 }],
    ['POST', `${account}/grants`, 'amount', { amount: 0 }],
    ['POST', `${account}/adjustments`, 'amount', { amount: -4e-7, note: 'x' }],
    ['POST', `${account}/adjustments`, 'amount', { amount: 0, note: 'x' }],
    ['POST', `${account}/keys`, 'spent_per_day_max', { spent_per_day_max: 1e-8 }],
    ['PATCH', account, 'credits_in_flight_max', { credits_in_flight_max: 4e-7 }],
  ]
  it.each(invalid)('%s %s rejects a %s with less than a millionth of a credit: %j', async (method, path, field, body) => {
    const { status, json } = await service.request(method, path, { body })
    expect([status, json.error.param, json.error.message]).toEqual([400, field, expect.stringContaining('from 0.000001')])
  })

  it('amounts of a millionth are accepted, positive and negative', async () => {
    expect((await service.request('POST', `${account}/grants`, { body: { amount: 0.000001 } })).status).toBe(200)
    expect((await service.request('POST', `${account}/adjustments`, { body: { amount: -0.000001, note: 'x' } })).status).toBe(200)
    expect((await service.request('GET', '/v2/credits')).json.balance).toBe(1000)
  })

  it('an error echoes a max_amount below a millionth as it was given', async () => {
    const { status, json } = await service.request('POST', tasksPath, { body: { ...image, max_amount: 1e-8 } })
    expect([status, json.error.code]).toEqual([402, 'max_amount_exceeded'])
    expect(json.error.message).toBe('This task costs 0.04 credits, more than the 1e-8 that max_amount allows.')
  })
})

describe('the name of an upstream or a route', () => {
  it.each(['upstreams', 'routes'])(
    'names of %s are accepted or rejected as the pattern in the document requires',
    async (kind) => {
      const { put } = apiDocument.paths[`${admin}/${kind}/{name}`] ?? {}
      const [name] = (put?.parameters ?? []) as Partial<Parameter>[]
      const { pattern = '^$' } = (name?.schema ?? {}) as Partial<ParameterSchema>
      const body = kind === 'upstreams' ? { driver: 'fal', api_key: 'x' } : { model: 'vidG_video3', upstream: 'embedded' }
      for (const [text, isValid] of [
        ['a', true],
        ['A-1_b', true],
        ['a'.repeat(63), true],
        ['a'.repeat(64), false],
        ['-a', false],
        ['a b', false],
        ['ä', false],
        ['a.b', false],
      ] as const) {
        const path = `${admin}/${kind}/${encodeURIComponent(text)}`
        const { status, json } = await service.request('PUT', path, { body })
        expect([text, new RegExp(pattern).test(text), status === 201]).toEqual([text, isValid, isValid])
        if (isValid) expect((await service.request('DELETE', path)).status).toBe(200)
        else expect([status, json.error.param]).toEqual([400, 'name'])
      }
    },
  )
})

describe('a path with a trailing slash', () => {
  it.each([
    ['GET', `${tasksPath}/`],
    ['POST', `${tasksPath}/`],
    ['GET', '/v2/model-center/models/'],
    ['GET', '/v2/assets/'],
    ['DELETE', '/v2/assets/'],
    ['GET', '/v1/vidC/videos/'],
    ['GET', `${admin}/accounts/`],
    ['GET', '/v2/credits/'],
  ])('%s %s gets 404 and the advice to omit the slash', async (method, path) => {
    const { status, json } = await service.request(method, path, method === 'POST' ? { body: image } : {})
    expect([status, json.error.code]).toEqual([404, 'route_not_found'])
    expect(json.error.message).toBe('There is nothing at this path. Remove the slash at its end.')
  })

  it.each([
    ['GET', '/v1/videos', '/api/v1/videos'],
    ['POST', '/api/images/generations', '/api/v1/images/generations'],
    ['POST', '/chat/completions', '/api/v1/chat/completions'],
    ['GET', '/v2/model-center/tasks/task_1', '/api/v2/model-center/tasks/task_1'],
    ['GET', '/api/healthz', '/healthz'],
    ['POST', '/api/v1/v2/model-center/tasks', '/api/v2/model-center/tasks'],
    ['POST', '/v1/v1/chat/completions', '/api/v1/chat/completions'],
    ['GET', '/api/v1/mcp', '/api/mcp'],
  ])('%s %s, as a client with a wrong base URL sends it, gets 404 and the advice to use %s', async (method, path, intended) => {
    const response = await fetch(new URL(path, service.origin), { method })
    expect(response.status).toBe(404)
    const { error } = (await response.json()) as ErrorBody
    expect(error.message).toBe(`There is nothing at this path. Did you mean ${intended}?`)
  })

  it('an unknown path with a trailing slash gets no advice', async () => {
    for (const path of ['/v3/', `${tasksPath}//cancel`, '/']) {
      const { status, json } = await service.request('POST', path)
      expect([path, status, json.error.message]).toEqual([path, 404, 'There is nothing at this path.'])
    }
  })
})

const sendQuote = (rawBody: string) =>
  service.request('POST', `${tasksPath}/quote`, {
    rawBody: Buffer.from(rawBody),
    headers: { 'content-type': 'application/json' },
  })

describe('a byte order mark at the start of a JSON body', () => {
  const mark = '\u{feff}'

  it('a byte order mark is ignored', async () => {
    const plain = await sendQuote(JSON.stringify(image))
    const marked = await sendQuote(mark + JSON.stringify(image))
    expect([plain.status, marked.status, marked.text]).toEqual([200, 200, plain.text])
  })

  it('a body of only a byte order mark counts as empty, and a second byte order mark is not ignored', async () => {
    expect((await sendQuote(mark)).json.error).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('is empty'),
    })
    expect((await sendQuote(mark + mark + JSON.stringify(image))).json.error.code).toBe('invalid_json')
  })
})

it('every collection of v1 finds every task of the account, and none of another account', async () => {
  const created = [
    await service.request('POST', '/v1/vidD/videos', { body: { model: 'vidDq3-turbo', prompt: 'x', seconds: 5 } }),
    await service.request('POST', tasksPath, { body: image }),
  ]
  const stranger = await service.newAccount(1)
  for (const { status, json } of created) {
    expect(status).toBe(202)
    for (const family of ['vidB', 'vidC', 'vidD', 'vidG', 'veo']) {
      const path = `/v1/${family}/videos/${json.id}`
      expect((await service.request('GET', path)).json).toMatchObject({ id: json.id, model: json.model })
      expect((await service.request('GET', path, { key: stranger.key })).json.error.code).toBe('task_not_found')
    }
  }
})
