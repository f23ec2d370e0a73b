import { afterAll, beforeAll, expect, it } from 'vitest'
import { StoreUnavailable } from '../src/db/store-unavailable.ts'
import { openHttpService, type HttpService } from './http-service.ts'
import { plainPng } from './plain-png.ts'

const tasksPath = '/v2/model-center/tasks'
const png = plainPng(8, 8).toString('base64')
const body = { model: 'vidC2Stable', prompt: 'A train', aspect_ratio: '16:9' }
let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

function submit(idempotencyKey: string, submitBody: object = body, path = tasksPath, apiKey = service.key) {
  return service.request('POST', path, { body: submitBody, headers: { 'idempotency-key': idempotencyKey }, key: apiKey })
}

it('a submit with a known Idempotency-Key and body returns the first task in its present state', async () => {
  const firstResponse = await submit('a')
  expect([firstResponse.status, firstResponse.headers.get('idempotency-replayed')]).toEqual([202, null])
  await service.startAll()
  const repeated = await submit('a')
  expect([repeated.status, repeated.headers.get('idempotency-replayed'), repeated.json.id]).toEqual([
    202,
    'true',
    firstResponse.json.id,
  ])
  expect(repeated.json.status).toBe('processing')
  expect(repeated.headers.get('location')).toBe(firstResponse.headers.get('location'))
})

it('a retry is recognized if its fields have another order, if it contains the defaults, and in the other API version', async () => {
  const { json } = await submit('b')
  const { seconds } = (await service.request('GET', `/v1/vidC/videos/${json.id}`)).json
  const reordered = { seconds, aspect_ratio: '16:9', prompt: 'A train', model: 'vidC2Stable' }
  expect((await submit('b', reordered)).json.id).toBe(json.id)
  const v1Submit = await submit('b', body, '/v1/vidC/videos')
  expect([v1Submit.json.id, v1Submit.headers.get('location')]).toEqual([json.id, `/api/v1/vidC/videos/${json.id}`])
})

it('a known Idempotency-Key with another body is rejected', async () => {
  await submit('c')
  for (const otherBody of [
    { ...body, prompt: 'A train ' },
    { ...body, aspect_ratio: '9:16' },
    { model: 'imgA-5.0', prompt: 'A train' },
  ]) {
    const response = await submit('c', otherBody)
    expect([response.status, response.json.error.type, response.json.error.code]).toEqual([
      409,
      'conflict_error',
      'idempotency_key_reused',
    ])
  }
})

it('a known Idempotency-Key is rejected if only one of the requests improves its prompt', async () => {
  const improved = { ...body, improve_prompt: true }
  for (const [key, first, second] of [
    ['improved-first', improved, body],
    ['improved-second', body, improved],
  ] as const) {
    expect((await submit(key, first)).status).toBe(202)
    expect((await submit(key, second)).json.error?.code).toBe('idempotency_key_reused')
    expect((await submit(key, first)).headers.get('idempotency-replayed')).toBe('true')
  }
})

it('Idempotency-Keys of different accounts are independent', async () => {
  const otherAccount = await service.newAccount(100)
  const ids = [(await submit('d')).json.id, (await submit('d', body, tasksPath, otherAccount.key)).json.id]
  expect(new Set(ids).size).toBe(2)
})

it('the Idempotency-Key of a rejected request is not stored', async () => {
  const { key, accountNo } = await service.newAccount(0)
  expect((await submit('e', body, tasksPath, key)).status).toBe(402)
  await service.store.grant(accountNo, 100_000_000, 'now')
  const accepted = await submit('e', body, tasksPath, key)
  expect([accepted.status, accepted.headers.get('idempotency-replayed')]).toEqual([202, null])
})

it('fifty concurrent requests with one Idempotency-Key create one task and hold its price once', async () => {
  const { key } = await service.newAccount(100)
  const responses = await Promise.all(Array.from({ length: 50 }, () => submit('f', body, tasksPath, key)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
  expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  const credits = (await service.request('GET', '/v2/credits', { key })).json
  expect(credits.held).toBe(responses[0]?.json.amount)
  expect((await service.store.verifyCredits()).differences).toEqual([])
})

it('concurrent submits cannot spend more than the balance of an account', async () => {
  const { key } = await service.newAccount(0.21)
  const image = { model: 'imgA-5.0', prompt: 'x' }
  const responses = await Promise.all(Array.from({ length: 30 }, () => service.request('POST', tasksPath, { body: image, key })))
  expect(responses.filter(({ status }) => status === 202)).toHaveLength(5)
  expect(responses.filter(({ status }) => status === 402)).toHaveLength(25)
  expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 0.01, held: 0.2 })
})

it('a submit is recognized as a retry although its model would now reject it or no longer exists', async () => {
  const model = { id: 'kites', object: 'image', price: { per_task: 1 } }
  const defineModel = (parameters: object) => ({ ...model, parameters: { prompt: {}, ...parameters } })
  const wind = { type: 'string', maxLength: 10 }
  const requestAdmin = async (method: string, path: string, body?: object) =>
    expect((await service.request(method, `/admin/v1/models${path}`, { ...(body && { body }) })).status).toBeLessThan(300)
  await requestAdmin('POST', '', defineModel({ reference_images: {}, wind }))
  const requestBody = {
    model: 'kites',
    prompt: 'a kite',
    wind: 'strong',
    reference_images: [`data:image/png;base64,${png}`],
    max_amount: 5,
  }
  const simulated = { model: 'kites', prompt: 'a kite', wind: 'weak', simulate: { outcome: 'content_policy', seconds: 3 } }
  const ids = [(await submit('g', requestBody)).json.id, (await submit('h', simulated)).json.id]
  const repeatBoth = async () => {
    for (const [index, repeated] of [await submit('g', requestBody), await submit('h', simulated)].entries()) {
      expect([repeated.status, repeated.json.id, repeated.headers.get('idempotency-replayed')]).toEqual([202, ids[index], 'true'])
    }
  }
  await requestAdmin('PATCH', '/kites', { parameters: defineModel({}).parameters })
  await repeatBoth()
  expect((await submit('i', requestBody)).json.error.code).toBe('unknown_parameter')
  await requestAdmin('DELETE', '/kites')
  await repeatBoth()
  expect((await submit('i', requestBody)).json.error.code).toBe('model_not_found')
  for (const changes of [
    { prompt: 'a ship' },
    { wind: 'weak' },
    { wind: 5 },
    { more: 1 },
    { max_amount: 6 },
    { max_amount: 'x' },
    { webhook_url: 'https://example.com' },
    { webhook_url: 5 },
    { simulate: null },
    { simulate: { outcome: 'content_policy' } },
    { reference_images: null },
    { reference_images: [null] },
    { reference_images: ['https://example.com/a.png'] },
    { model: 'kite' },
    { model: { id: 'kites' } },
  ]) {
    const refused = await submit('g', { ...requestBody, ...changes })
    expect([changes, refused.status, refused.json.error.code]).toEqual([changes, 409, 'idempotency_key_reused'])
  }
  const { key } = await service.newAccount(100)
  expect((await submit('g', requestBody, tasksPath, key)).json.error.code).toBe('model_not_found')
})

it('a known Idempotency-Key gets 503 while its task cannot be read from the database, and afterwards the task, or 409 for another body', async () => {
  let unavailable: StoreUnavailable | null = null
  await using rig = await openHttpService({
    changeStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (unavailable !== null && (name === 'find' || name === 'findTaskOfKey')) return () => Promise.reject(unavailable)
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      }),
  })
  const send = (prompt: string) =>
    rig.request('POST', tasksPath, { body: { ...body, prompt }, headers: { 'idempotency-key': 'a' } })
  const firstResponse = await send('A train')
  for (const [reason, problem] of [
    [null, 'is unavailable'],
    ['SQLITE_IOERR', 'cannot be read or written'],
  ] as const) {
    unavailable = new StoreUnavailable({ reason })
    for (const prompt of ['A train', 'A boat', '']) {
      const refused = await send(prompt)
      expect([refused.status, refused.json.error.code]).toEqual([503, 'overloaded'])
      expect(refused.json.error.message).toContain(`The database ${problem} at the moment`)
      expect(refused.headers.get('retry-after')).not.toBeNull()
    }
  }
  unavailable = null
  expect((await send('A train')).json.id).toBe(firstResponse.json.id)
  expect((await send('A boat')).status).toBe(409)
  expect((await send('')).status).toBe(409)
})
