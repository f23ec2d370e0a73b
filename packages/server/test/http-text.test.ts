import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const nul = '\0'
const unpairedSurrogate = '\ud800'

describe('the character U+0000', () => {
  it.each([
    '/v2/model-center/tasks?model=%00',
    '/v2/model-center/tasks?model=a%00b',
    '/v2/model-center/tasks?status=%00',
    '/v2/model-center/tasks?cursor=%00',
    '/v2/model-center/tasks?created_after=%00',
    '/v2/model-center/tasks?%00=x',
    '/v2/model-center/tasks/task_x?wait=%00',
    '/v2/credits/entries?task=%00',
    '/v2/credits/entries?kind=%00',
    '/v2/credits/entries?cursor=%00',
    '/v2/usage?from=%00',
    '/v2/usage?by=%00',
    '/v2/assets?cursor=%00',
    '/admin/v1/accounts?cursor=%00',
    '/admin/v1/audit?cursor=%00',
    '/admin/v1/prices?model=%00',
    '/admin/v1/prices?account=%00',
    '/admin/v1/attempts?cursor=%00',
    '/admin/v1/attempts?route=%00',
  ])('U+0000 in the query of %s is rejected with 400 and the name of the parameter', async (path) => {
    const { status, json } = await service.request('GET', path)
    expect([status, json.error.type]).toEqual([400, 'invalid_request_error'])
    expect(json.error.param).toBeTruthy()
  })

  it.each([
    '/v2/model-center/tasks/%00',
    '/v2/model-center/tasks/%00/timeline',
    '/v1/vidC/videos/%00',
    '/v2/model-center/models/%00',
    '/v2/assets/%00',
    '/admin/v1/accounts/%00',
    '/admin/v1/accounts/%00/keys',
    '/admin/v1/accounts/%00/entries',
    '/admin/v1/accounts/acct_1/grants/%00',
    '/admin/v1/brands/%00',
    '/admin/v1/brands/brand_default/models/%00',
    '/admin/v1/keys/%00',
    '/admin/v1/attempts/%00',
  ])('U+0000 in the path %s gets 404', async (path) => {
    expect((await service.request('GET', path)).status).toBe(404)
  })
})

describe.each([
  ['U+0000', nul],
  ['an unpaired surrogate', unpairedSurrogate],
])('%s in a body', (_, character) => {
  const text = `a${character}b`

  it.each([
    ['POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: text }, 'prompt'],
    ['POST', '/v2/model-center/tasks', { model: text, prompt: 'x' }, 'model'],
    ['POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'x', simulate: { outcome: text } }, 'simulate'],
    ['POST', '/v2/model-center/tasks/quote', { model: 'imgA-5.0', prompt: text }, 'prompt'],
    ['POST', '/v1/vidC/videos', { model: 'vidC-2.0', prompt: text }, 'prompt'],
    ['POST', '/v2/assets', { url: `https://example.com/${text}.png` }, 'url'],
    ['POST', '/v2/assets', { url: 'https://example.com/x.png', name: text }, 'name'],
    ['POST', '/admin/v1/accounts', { name: text }, 'name'],
    ['PATCH', '/admin/v1/accounts/acct_1', { name: text }, 'name'],
    ['POST', '/admin/v1/accounts/acct_1/grants', { amount: 1, note: text }, 'note'],
    ['POST', '/admin/v1/accounts/acct_1/grants', { amount: 1, reference: text }, 'reference'],
    ['POST', '/admin/v1/accounts/acct_1/adjustments', { amount: 1, note: text }, 'note'],
    ['POST', '/admin/v1/accounts/acct_1/keys', { name: text }, 'name'],
    ['POST', '/admin/v1/brands', { name: text }, 'name'],
    ['POST', '/admin/v1/brands', { name: 'x', hosts: [`${text}.example`] }, 'hosts'],
    ['POST', '/admin/v1/brands/brand_default/models', { model: 'imgA-5.0', title: text }, 'title'],
    ['POST', '/admin/v1/prices', { model: text, price: null }, 'model'],
    ['PUT', '/admin/v1/upstreams/studio', { driver: 'openai', base_url: 'https://example.com/v1', api_key: text }, 'api_key'],
    ['PUT', '/admin/v1/routes/one', { model: 'imgA-5.0', upstream: 'embedded', upstream_model: text }, 'upstream_model'],
  ])('%s %s %j is rejected with 400 and the name of the field', async (method, path, body, param) => {
    const { status, json } = await service.request(method, path, { body })
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_parameter', param])
    expect(json.error.message).toContain(character === nul ? 'U+0000' : 'surrogate')
  })

  it('invalid text in a field whose name has a megabyte is rejected, and the response quotes only the beginning of the name', async () => {
    const body = { model: 'imgA-5.0', prompt: 'x', ['n'.repeat(1_000_000)]: { inner: text } }
    const response = await service.request('POST', '/v2/model-center/tasks', { body })
    expect([response.status, response.json.error.param]).toEqual([400, `${'n'.repeat(200)}…`])
    expect(response.text.length).toBeLessThan(3_000)
  })

  it('invalid text in the name of a field is rejected with 400', async () => {
    const body = { model: 'imgA-5.0', prompt: 'x', [text]: 1 }
    const { status, json } = await service.request('POST', '/v2/model-center/tasks', { body })
    expect([status, json.error.code]).toEqual([400, 'invalid_parameter'])
    expect(json.error.message).toContain('name')
  })
})

it('surrogate pairs, escaped or not, and escaped backslashes are accepted', async () => {
  const rawBody = String.raw`{"model":"imgA-5.0","prompt":"a \ud83e\udd8a and a 🦊, \\u0000 and \\ud800"}`
  const { status } = await service.request('POST', '/v2/model-center/tasks', {
    rawBody,
    headers: { 'content-type': 'application/json' },
  })
  expect(status).toBe(202)
})
