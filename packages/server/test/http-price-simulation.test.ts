import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'
import { packetVideo } from './packet-video.ts'
import { plainPng } from './plain-png.ts'

const tasksPath = '/v2/model-center/tasks'
const image = 'imgA-5.0'
const video = 'vidDq3-turbo'
const perTask = (credits: number) => ({ unit: 'task', credits: { '*': credits } })
const perSecond = (credits: number) => ({ unit: 'second', credits: { '*': credits } })

let service: HttpService
let studio: TestAccount
let otherAccount: TestAccount
beforeAll(async () => {
  service = await openHttpService()
  studio = await service.newAccount(100)
  otherAccount = await service.newAccount(100)
  await complete(studio, { model: image, prompt: 'a boat' })
  await complete(otherAccount, { model: image, prompt: 'a boat', resolution: '2K' })
  await complete(otherAccount, { model: video, prompt: 'a boat', seconds: 8 }, { durationMs: 5_000, bytes: await packetVideo() })
  const failed = await submit(studio, { model: image, prompt: 'a boat' })
  await service.startAll()
  await service.fail(failed, { code: 'content_policy', message: 'refused' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit({ key }: TestAccount, body: object): Promise<string> {
  return (await service.request('POST', tasksPath, { body, key })).json.id
}

async function complete(account: TestAccount, body: object, result: object = { bytes: plainPng(8, 8) }): Promise<void> {
  const id = await submit(account, body)
  const { json } = await service.request('POST', `${tasksPath}/quote`, { body, key: account.key })
  await service.startAll()
  await service.complete(id, { ...result, chargeMicroCredits: json.amount * 1_000_000 })
}

async function simulate(body: object) {
  const { status, json } = await service.request('POST', '/admin/v1/prices/simulate', { body })
  return status === 200 ? json : [status, json.error.param, json.error.message]
}

it('a simulation shows by model the actual and the simulated charges of completed tasks, and changes nothing', async () => {
  const images = await simulate({ models: [image], price: perTask(1) })
  expect(images).toMatchObject({ object: 'price_simulation', complete: true })
  expect(images.items).toEqual([{ model: image, tasks: 2, charged: 0.12, simulated: 2, difference: 1.88, skipped: 0 }])
  expect(images.total).toEqual({ tasks: 2, charged: 0.12, simulated: 2, difference: 1.88, skipped: 0 })
  const videos = await simulate({ models: [video], price: perSecond(0.5) })
  expect(videos.total).toMatchObject({ tasks: 1, simulated: 2.5 })
  expect((await service.request('GET', '/admin/v1/prices')).json.items).toEqual([])
})

it('a simulated price that equals the current price changes no charge', async () => {
  const { price } = (await service.request('GET', `/admin/v1/prices/current?model=${image}`)).json
  expect((await simulate({ models: [image], price })).total).toMatchObject({ tasks: 2, difference: 0 })
})

it('a simulated price for an account or a brand applies to the tasks of that account or brand', async () => {
  expect((await simulate({ models: [image], price: perTask(1), account: studio.accountId })).total.tasks).toBe(1)
  expect((await simulate({ models: [image], price: perTask(1), brand: 'brand_default' })).total.tasks).toBe(2)
  await service.request('POST', '/admin/v1/prices', { body: { model: image, account: studio.accountId, price: perTask(3) } })
  try {
    const priceForAll = await simulate({ models: [image], price: perTask(1) })
    expect(priceForAll.total).toMatchObject({ tasks: 1, charged: 0.08, simulated: 1 })
    const removed = await simulate({ models: [image], price: null, account: studio.accountId })
    expect(removed.total).toMatchObject({ tasks: 1, charged: 0.04, simulated: 0.04 })
  } finally {
    await service.request('POST', '/admin/v1/prices', { body: { model: image, account: studio.accountId, price: null } })
  }
})

it('a simulated price that counts inputs skips tasks whose inputs were not stored', async () => {
  const price = { ...perTask(1), input_image_credits: 0.1 }
  expect((await simulate({ models: [image], price })).total).toEqual({
    tasks: 0,
    charged: 0,
    simulated: 0,
    difference: 0,
    skipped: 2,
  })
})

it('a simulation counts only the tasks of the requested days', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  expect((await simulate({ models: [image], price: perTask(1), to: yesterday })).total.tasks).toBe(0)
})

it.each([
  [{ models: [], price: perTask(1) }, 'models', /models must be a list of 1 to 20 Model IDs/],
  [{ models: [image] }, 'price', /price/],
  [{ models: ['nothing'], price: perTask(1) }, 'models', /nothing/],
  [{ models: [image], price: perSecond(1) }, 'price', /unit task or image/],
  [{ models: [image], price: perTask(1), from: '2026-13-01' }, 'from', /from must be a day/],
  [{ models: [image], price: perTask(1), account: 'acct_none' }, 'account', /no account/],
])('an invalid simulation is rejected with the field and the valid values: %j', async (body, param, message) => {
  expect(await simulate(body)).toEqual([400, param, expect.stringMatching(message)])
})
