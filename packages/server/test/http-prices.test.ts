import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const modelsPath = '/v2/model-center/models'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const video = { model: 'vidDq3-turbo', prompt: 'a red fox', resolution: '720p', seconds: 10 }
const hourMs = 60 * 60 * 1000

let service: HttpService
let account: TestAccount
beforeEach(async () => {
  service = await openHttpService()
  account = await service.newAccount(100)
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const send = (path: string, body: object, key = account.key) => service.request('POST', path, { body, key })
const perTask = (credits: number) => ({ unit: 'task', credits: { '*': credits } })

it('a price for an account applies in catalogue, quote and hold', async () => {
  await service.prices.setPrice({ model: image.model, accountNo: account.accountNo, price: perTask(3) })
  expect((await send(`${tasksPath}/quote`, image)).json).toMatchObject({ amount: 3, available: true })
  expect((await send(tasksPath, image)).json.amount).toBe(3)
  const view = await service.request('GET', `${modelsPath}/${image.model}`, { key: account.key })
  expect(view.json.price).toEqual({ unit: 'task', credits: { '*': 3 } })
  expect((await service.request('GET', `${modelsPath}/${image.model}`)).json.price.unit).toBe('image')
  expect((await send(tasksPath, image, service.key)).json.amount).toBe(0.04)
})

it('a price applies from its effective time until the effective time of the next price', async () => {
  const nowMs = Date.now()
  const price = { model: image.model, brandNo: null, accountNo: account.accountNo }
  await service.prices.setPrice({ ...price, price: perTask(3), effectiveAtMs: nowMs + hourMs })
  await service.prices.setPrice({ ...price, price: null, effectiveAtMs: nowMs + 2 * hourMs })
  const quotedAmount = async () => (await send(`${tasksPath}/quote`, image)).json.amount
  expect(await quotedAmount()).toBe(0.04)
  service.clockAheadMs = hourMs + 1000
  expect(await quotedAmount()).toBe(3)
  service.clockAheadMs = 2 * hourMs + 1000
  expect(await quotedAmount()).toBe(0.04)
})

it('a task keeps the price at which it was accepted, even if another price applies when it ends', async () => {
  const { after } = await service.prices.setPrice({ model: video.model, accountNo: account.accountNo, price: perTask(3) })
  const priceNo = after?.no ?? 0
  const { id } = (await send(tasksPath, video)).json
  await service.prices.setPrice({ model: video.model, accountNo: account.accountNo, price: perTask(9) })
  expect(await service.store.find(id)).toMatchObject({ priceMicroCredits: 3_000_000, priceNo: priceNo })
  expect(service.prices.ruleOf(priceNo)).toMatchObject({ unit: 'task', microCredits: { '*': 3_000_000 } })
})

it('the price follows the parameters that are sent to the driver, with every default filled in', async () => {
  const { seconds: _seconds, resolution: _resolution, ...bareVideo } = video
  const quote = (await send(`${tasksPath}/quote`, bareVideo)).json
  const { id } = (await send(tasksPath, bareVideo)).json
  const task = await service.store.find(id)
  expect(JSON.parse(task?.parameters ?? '')).toEqual(quote.parameters)
  expect(quote.parameters).toMatchObject({ seconds: expect.any(Number), resolution: expect.any(String) })
  expect(task?.priceMicroCredits).toBe(quote.amount * 1_000_000)
})

it('a submit is rejected when max_amount is lower than the price', async () => {
  const refused = await send(tasksPath, { ...image, max_amount: 0.039 })
  expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([402, 'max_amount_exceeded', 'max_amount'])
  expect((await send(`${tasksPath}/quote`, { ...image, max_amount: 0.039 })).json).toMatchObject({
    amount: 0.04,
    available: false,
    reason: 'max_amount_exceeded',
    parameters: expect.not.objectContaining({ max_amount: expect.anything() }),
  })
  expect((await send(tasksPath, { ...image, max_amount: 0.04 })).status).toBe(202)
  expect((await send('/v1/vidD/videos', { ...video, max_amount: 0.01 })).json.error.code).toBe('max_amount_exceeded')
  for (const invalid of [-1, '1', null]) {
    expect((await send(tasksPath, { ...image, max_amount: invalid })).json.error).toMatchObject({
      code: 'invalid_parameter',
      param: 'max_amount',
    })
  }
  expect((await service.request('GET', '/v2/credits', { key: account.key })).json).toMatchObject({ balance: 99.96, held: 0.04 })
})

it('a repeated Idempotency-Key with another max_amount is rejected', async () => {
  const headers = { 'idempotency-key': 'order-1' }
  const submit = (maxAmount: number) =>
    service.request('POST', tasksPath, { body: { ...image, max_amount: maxAmount }, headers, key: account.key })
  expect([(await submit(1)).status, (await submit(1)).status, (await submit(2)).status]).toEqual([202, 202, 409])
})

it('a price that another process has set applies within a second, and a stored price can be neither changed nor deleted', async () => {
  const secondConnection = new DatabaseSync(service.databaseFile, { timeout: 5000 })
  const rule = JSON.stringify({ unit: 'task', microCredits: { '*': 7_000_000 } })
  secondConnection
    .prepare('insert into prices (model, rule, effective_at, created_at) values (?, ?, 0, 0)')
    .run(image.model, rule)
  expect(() => secondConnection.exec('update prices set rule = null')).toThrow('never changes')
  expect(() => secondConnection.exec('delete from prices')).toThrow('never goes')
  secondConnection.close()
  await expect.poll(async () => (await send(`${tasksPath}/quote`, image)).json.amount, { timeout: 1000, interval: 20 }).toBe(7)
})
