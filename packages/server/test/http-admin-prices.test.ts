import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const { model } = image
const hourMs = 3_600_000

let service: HttpService
let account: TestAccount
beforeEach(async () => {
  service = await openHttpService()
  account = await service.newAccount(100)
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const perTask = (credits: number) => ({ unit: 'task', credits: { '*': credits } })
const oneHourLater = () => Math.floor(Date.now() / 1000) + 3600
const send = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1/prices${path}`, body ? { body } : {})
const setPrice = (body: object) => send('POST', '', { model, ...body })
const getCurrentPrices = async (query = '') => (await send('GET', `/current?model=${model}${query}`)).json
const quoteImage = async (key = account.key) =>
  (await service.request('POST', `${tasksPath}/quote`, { body: image, key })).json.amount

async function refusalOf(body: object): Promise<string[]> {
  const { status, json } = await setPrice(body)
  expect(status).toBe(400)
  return [json.error.param, json.error.message]
}

it('an operator sets prices for all accounts, for a brand and for an account, and removes the price for the account', async () => {
  const priceForAll = await setPrice({ price: perTask(1) })
  expect([priceForAll.status, priceForAll.json]).toMatchObject([
    201,
    { changed: true, before: null, after: { model, brand: null, account: null, price: perTask(1), state: 'current' } },
  ])
  expect(await quoteImage()).toBe(1)
  await setPrice({ brand: 'brand_default', price: perTask(2) })
  expect(await quoteImage()).toBe(2)
  await setPrice({ account: account.accountId, price: perTask(3) })
  expect([await quoteImage(), await quoteImage(service.key)]).toEqual([3, 2])

  const removed = await setPrice({ account: account.accountId, price: null })
  expect([removed.status, removed.json]).toMatchObject([
    201,
    { changed: true, before: { price: perTask(3) }, after: { price: null, account: account.accountId } },
  ])
  expect(await quoteImage()).toBe(2)
  const states = (await send('GET', `?model=${model}`)).json.items.map(({ price, state }: { price: object; state: string }) => [
    price,
    state,
  ])
  expect(states).toEqual([
    [null, 'current'],
    [perTask(3), 'replaced'],
    [perTask(2), 'current'],
    [perTask(1), 'current'],
  ])
})

it('a price with an effective time in the past applies from now on, and shows the price that it replaces', async () => {
  await setPrice({ price: perTask(1) })
  const pastPrice = { price: perTask(2), effective_at: Math.floor(Date.now() / 1000) - 86_400 }
  for (const dryRun of [true, false]) {
    const { json } = await setPrice({ ...pastPrice, dry_run: dryRun })
    expect(json).toMatchObject({ changed: true, before: { price: perTask(1) }, after: { price: perTask(2), state: 'current' } })
    expect(json.after.effective_at).toBeGreaterThan(pastPrice.effective_at)
  }
  expect(await quoteImage()).toBe(2)
  expect((await setPrice(pastPrice)).json.changed).toBe(false)
})

it('setting the price that already applies changes nothing, and the response says so', async () => {
  const effectiveAt = oneHourLater()
  const firstChange = await setPrice({ price: perTask(2), effective_at: effectiveAt })
  for (const body of [
    { price: perTask(2), effective_at: effectiveAt },
    { price: { credits: { '*': 2 }, unit: 'task' }, effective_at: effectiveAt + 60 },
    { price: null },
    { price: null, brand: 'brand_default', effective_at: effectiveAt },
  ]) {
    const repeated = await setPrice(body)
    expect([repeated.status, repeated.json.changed, repeated.json.after]).toEqual([200, false, repeated.json.before])
  }
  expect((await setPrice({ price: perTask(2), effective_at: effectiveAt })).json.after).toEqual(firstChange.json.after)
  expect((await send('GET', '')).json.items).toHaveLength(1)
  expect((await service.request('GET', '/admin/v1/audit')).json.items).toHaveLength(1)
})

it('many concurrent requests that set the same price set it once', async () => {
  const effectiveAt = oneHourLater()
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => setPrice({ price: perTask(2), effective_at: effectiveAt })),
  )
  expect(responses.filter(({ json }) => json.changed)).toHaveLength(1)
  expect((await send('GET', '')).json.items).toHaveLength(1)
})

it('a price lookup shows the amount, its owner and later changes', async () => {
  expect(await getCurrentPrices()).toMatchObject({ from: 'catalogue', line: null, later: [], price: { unit: 'image' } })
  await setPrice({ price: perTask(1) })
  await setPrice({ account: account.accountId, price: perTask(3), effective_at: oneHourLater() })
  await setPrice({ brand: 'brand_default', price: perTask(2), effective_at: oneHourLater() + 60 })
  expect(await getCurrentPrices()).toMatchObject({ from: 'all', price: perTask(1), line: { state: 'current' }, later: [] })
  expect(await getCurrentPrices('&brand=brand_default')).toMatchObject({ from: 'all', later: [{ price: perTask(2) }] })
  const ofAccount = `&account=${account.accountId}`
  expect(await getCurrentPrices(ofAccount)).toMatchObject({ from: 'all', later: [{ price: perTask(3) }, { price: perTask(2) }] })
  service.clockAheadMs = hourMs + 1000
  expect(await getCurrentPrices(ofAccount)).toMatchObject({ from: 'account', price: perTask(3), later: [{ price: perTask(2) }] })
  expect(await quoteImage()).toBe(3)
  service.clockAheadMs += hourMs
  expect(await getCurrentPrices('&brand=brand_default')).toMatchObject({ from: 'brand', price: perTask(2), later: [] })
})

it('prices are listed by model, owner and state, page by page', async () => {
  await setPrice({ price: perTask(1) })
  await setPrice({ price: perTask(2), effective_at: oneHourLater() })
  await setPrice({ brand: 'brand_default', price: perTask(3) })
  await setPrice({ account: account.accountId, price: perTask(4) })
  await setPrice({ model: 'veo-3.1', price: perTask(5) })
  const listPrices = async (query: string) =>
    (await send('GET', `?${query}`)).json.items.map(
      ({ price }: { price: { credits: object } }) => Object.values(price.credits)[0],
    )
  expect(await listPrices('')).toEqual([5, 4, 3, 2, 1])
  expect(await listPrices(`model=${model}`)).toEqual([4, 3, 2, 1])
  expect(await listPrices('brand=brand_default')).toEqual([3])
  expect(await listPrices(`account=${account.accountId}`)).toEqual([4])
  expect(await listPrices('state=later')).toEqual([2])
  expect(await listPrices(`state=current&model=${model}`)).toEqual([4, 3, 1])
  const { json: page } = await send('GET', `?model=${model}&limit=3`)
  expect([page.has_more, page.items.length]).toEqual([true, 3])
  expect(await listPrices(`model=${model}&limit=3&cursor=${page.next_cursor}`)).toEqual([1])
})

it('the audit log records the price before and after each price change', async () => {
  await setPrice({ price: perTask(1) })
  await setPrice({ price: null })
  expect((await service.request('GET', '/admin/v1/audit')).json.items).toMatchObject([
    { action: 'price.remove', target: model, before: { price: perTask(1) }, after: { price: null, brand: null } },
    { action: 'price.set', target: model, before: null, after: { price: perTask(1), account: null } },
  ])
})

it('a dry run shows the result and changes nothing', async () => {
  const dryRun = await setPrice({ price: perTask(1), dry_run: true })
  expect([dryRun.status, dryRun.json]).toMatchObject([
    200,
    { changed: true, before: null, after: { id: null, state: 'current' } },
  ])
  expect((await setPrice({ price: null, dry_run: true })).json.changed).toBe(false)
  expect((await send('GET', '')).json.items).toEqual([])
  expect((await setPrice({ price: { unit: 'hour', credits: { '*': 1 } }, dry_run: true })).status).toBe(400)
})

it('the prices of a deleted model can be removed, and no new price can be set for it', async () => {
  const definition = { id: 'house', object: 'image', parameters: { prompt: {} }, required: ['prompt'], price: { per_image: 1 } }
  await service.request('POST', '/admin/v1/models', { body: definition })
  await setPrice({ model: 'house', price: perTask(1) })
  await setPrice({ model: 'house', price: perTask(2), effective_at: oneHourLater() })
  await service.request('DELETE', '/admin/v1/models/house')

  expect(await setPrice({ model: 'house', price: null, dry_run: true })).toMatchObject({ status: 200, json: { changed: true } })
  expect((await setPrice({ model: 'house', price: null })).status).toBe(201)
  expect((await setPrice({ model: 'house', price: null, effective_at: oneHourLater() + 60 })).status).toBe(201)
  expect(await refusalOf({ model: 'house', price: perTask(3) })).toEqual(['model', expect.stringContaining('"house"')])
  expect(await refusalOf({ model: 'never', price: null })).toEqual(['model', expect.stringContaining('"never"')])
})

it('an invalid price is rejected with the error and the accepted values', async () => {
  expect(await refusalOf({ model: 'imgA 5.0', price: null })).toEqual([
    'model',
    expect.stringContaining('the Model ID is "imgA-5.0"'),
  ])
  expect(await refusalOf({ price: { unit: 'second', credits: { '*': 1 } } })).toEqual([
    'price',
    'The price must have the unit task or image.',
  ])
  expect(await refusalOf({ price: { unit: 'image', credits: { '8K': 1 } } })).toEqual(['price', expect.stringContaining('"8K"')])
  expect(await refusalOf({ price: 3 })).toEqual(['price', expect.stringContaining('price must be an object such as')])
  expect(await refusalOf({ price: null, brand: 'brand_0' })).toEqual(['brand', 'There is no brand with the id brand_0.'])
  expect(await refusalOf({ price: null, account: 'acct_0' })).toEqual([
    'account',
    'There is no account with the id acct_0. GET /admin/v1/accounts shows the ids of all accounts.',
  ])
  expect(await refusalOf({ price: null, brand: 'brand_default', account: 'acct_1' })).toEqual([
    'account',
    'Send either brand or account, not both.',
  ])
  expect((await send('GET', '/current')).json.error.param).toBe('model')
  expect((await send('GET', '')).json.items).toEqual([])
})
