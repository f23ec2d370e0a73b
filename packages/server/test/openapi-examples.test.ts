import { claimEmbedded, resultOf } from '../src/db/store-under-test.ts'
import { Readable } from 'node:stream'
import type { SimulatedRefusal } from '@framegate/contract'
import {
  attemptExamples,
  definitionExamples,
  openAiExamples,
  deletionExamples,
  heldTaskExamples,
  priceExamples,
  routingExamples,
  webhookExampleIds,
  webhookExamples,
} from '@framegate/contract/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopes } from '../src/auth/scopes.ts'
import { createCatalogue } from '../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../src/catalogue/default-families.ts'
import { createTaskIds, firstTaskNoAt, taskIdOf } from '../src/identity/task-id.ts'
import { openChatService } from './chat/chat-service.ts'
import { refuseWith, sendJson } from './chat/chat-upstream.ts'
import { plainPng } from './plain-png.ts'
import { changed, openHttpService, type HttpService, type HttpServiceOptions } from './http-service.ts'
import { createVerifiedExamples } from './verified-examples.ts'
import { metadataHeader, tusRequests, uploadsPath } from './tus-requests.ts'

// These tests replay the examples of the OpenAPI document on running services. At the end, each
// example must have been sent or returned word for word.

const examples = createVerifiedExamples()
const noonMs = Date.UTC(2026, 0, 15, 12)
const dayMs = 24 * 60 * 60 * 1000
const tasksPath = '/v2/model-center/tasks'
const jsonHeaders = { 'content-type': 'application/json' }
const image = { model: 'imgA-5.0', prompt: 'A boat on a lake in the fog, long exposure' }
const deer = { model: 'vidG_video3', prompt: 'A deer in a misty forest at dawn', seconds: 12 }
const horses = { model: 'vidC2Stable', prompt: 'Two horses in a meadow at sunset', aspect_ratio: '16:9', seconds: 10 }
const lighthouse = { model: 'imgA_5.0Pro', prompt: 'A lighthouse on a cliff at dusk, oil painting' }

/** The PNG is not compressed, so that its bytes do not depend on a compressor. */
const robot = plainPng(256, 256)

/**
 * Final characters of the ids in the examples, in the order in which the tests create the objects.
 */
const idTails = [
  '8f3b1c5e7d9a2b40',
  '9a4d2e6f8b0c3d51',
  'ab5e3f708c1d4e62',
  'bc6f40819d2e5f73',
  '8d705192ae3f6084',
  '9e8162a3bf407195',
]
const idAtNoon = (kind: string, tail: string) => () => taskIdOf(firstTaskNoAt(noonMs), tail).replace('task_', kind)
let nowMs = noonMs
let service: HttpService

async function open(options: HttpServiceOptions = {}): Promise<HttpService> {
  const service = await openHttpService({ onResponse: (exchange) => examples.record(exchange), ...options })
  // The name of the account in the examples.
  await service.store.database.updateTable('accounts').set({ name: 'Studio North' }).where('id', '=', 'acct_1').execute()
  return service
}

beforeAll(async () => {
  const laterIds = createTaskIds(() => nowMs)
  service = await open({
    clock: () => nowMs,
    publicUrl: 'http://127.0.0.1:8787',
    nextTaskId() {
      const tail = idTails.shift()
      return tail === undefined ? laterIds() : taskIdOf(firstTaskNoAt(nowMs), tail)
    },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit(body: object, path = tasksPath, headers = {}): Promise<string> {
  return (await service.request('POST', path, { body, headers })).json.id
}
const get = (path: string, headers = {}) => service.request('GET', path, { headers })

it('the webhook of the examples is created, changed, tested and deleted', async () => {
  nowMs = noonMs
  const ids = { wh: webhookExampleIds.webhook, whd: webhookExampleIds.delivery, evt: webhookExampleIds.event }
  const ownService = await open({ clock: () => nowMs, newWebhookId: (prefix) => ids[prefix] })
  const webhooks = '/v2/webhooks'
  const webhookPath = `${webhooks}/${ids.wh}`
  const send = (method: string, path: string, body?: object) =>
    ownService.request(method, path, body === undefined ? {} : { body })
  expect((await send('POST', webhooks, webhookExamples.create.value)).status).toBe(201)
  expect((await send('PATCH', `/admin/v1/webhooks/${ids.wh}`, { enabled: false })).status).toBe(200)
  await send('PATCH', `/admin/v1/webhooks/${ids.wh}`, { enabled: true })
  await send('PUT', '/v2/credits/alert', webhookExamples.setAlert.value)
  await send('GET', '/v2/credits/alert')
  await send('GET', webhooks)
  await send('GET', webhookPath)
  await send('POST', `${webhookPath}/test`)
  await ownService.store.database
    .updateTable('webhook_deliveries')
    .set({ status: 'delivered', attempts: 1, due_at: null, ended_at: nowMs })
    .execute()
  const { no } = await ownService.store.database.selectFrom('webhook_deliveries').select('no').executeTakeFirstOrThrow()
  await ownService.store.database
    .insertInto('webhook_attempts')
    .values({
      delivery_no: no,
      number: 1,
      at: nowMs,
      duration_ms: 142,
      is_manual: 1,
      status_code: 200,
      error: null,
      response_body: 'ok',
    })
    .execute()
  await send('GET', `${webhookPath}/deliveries`)
  await send('POST', `${webhookPath}/deliveries/${ids.whd}/resend`)
  await send('POST', `${webhookPath}/deliveries/whd_0/resend`)
  await send('POST', `${webhookPath}/resend-failed`, webhookExamples.resendFailed.value)
  await send('PATCH', webhookPath, webhookExamples.change.value)
  await send('POST', `${webhookPath}/rotate-secret`)
  await send('DELETE', webhookPath)
  expect((await send('GET', webhookPath)).status).toBe(404)
  await ownService[Symbol.asyncDispose]()
})

it('a task of the examples runs from submit to download', async () => {
  nowMs = noonMs - 8 * dayMs
  const expired = await submit(image)
  await service.startAll()
  nowMs += 9_000
  await service.complete(expired, { chargeMicroCredits: 40_000 })

  nowMs = noonMs
  const boat = await submit(image, tasksPath, { 'idempotency-key': 'order-4711' })
  await get(`${tasksPath}/${boat}`, { 'if-none-match': 'W/"1"' })
  nowMs += 20_000
  const video = await submit(deer)
  nowMs += 20_000
  const v1Video = await submit(horses, '/v1/vidC/videos')
  nowMs += 20_000
  const fox = await submit({ model: 'vidDq3-turbo', prompt: 'A red fox in the snow at dusk' })
  nowMs += 20_000
  const dog = await submit({ ...image, reference_images: ['https://example.com/dog.jpg'] })
  const { key: clientKey } = await service.keys.issueKey({
    accountNo: service.accountNo,
    name: 'website',
    scopes: ['tasks:read'],
    expiresAtMs: null,
  })
  await service.request('GET', `${tasksPath}/${dog}/timeline`, { key: clientKey })
  await service.store.grant(service.accountNo, 100_000_000, 'for the new year', { expiresAtMs: Date.UTC(2026, 1, 14, 12) })
  await get('/v2/credits')
  await get('/admin/v1/credits/verify')
  nowMs += 3_000
  await service.request('POST', `${tasksPath}/${fox}/cancel`)
  await service.startAll()
  nowMs += 2_000
  await service.progress(video, 40)
  await get(`${tasksPath}/${video}`)
  await service.complete(boat, { chargeMicroCredits: 40_000, bytes: Buffer.alloc(1_480_213) })
  const message = 'reference_images[0] could not be fetched: the server responded with status 404.'
  await service.fail(dog, { code: 'invalid_input', message })
  await get('/v2/credits/entries?limit=2')
  nowMs += 30_000
  await service.complete(video, { durationMs: 12_000, chargeMicroCredits: 840_000, bytes: Buffer.alloc(3_201_774) })
  await service.complete(v1Video, { durationMs: 10_000, chargeMicroCredits: 800_000, bytes: Buffer.alloc(2_668_145) })
  for (const id of [boat, video, dog, expired]) await get(`${tasksPath}/${id}?wait=5`, { prefer: 'wait=5' })
  await get(`/v1/vidC/videos/${v1Video}`)
  for (const id of [video, dog]) await get(`${tasksPath}/${id}/timeline`)
  await get('/v2/usage?from=2026-01-01')

  const { json: page } = await get(`${tasksPath}?limit=2`)
  const timeFilter = `created_after=${noonMs / 1000}&created_before=${(noonMs + dayMs) / 1000}`
  await get(`${tasksPath}?limit=2&cursor=${page.next_cursor}&status=completed&model=imgA-5.0&object=image&${timeFilter}`)

  const { json: completed } = await get(`${tasksPath}/${boat}`)
  const link = completed.result_url.replace('http://127.0.0.1:8787', service.origin)
  await service.fetch(link, { headers: { range: 'bytes=0-1' } })
  await service.fetch(link, { method: 'HEAD' })
})

it('the examples of accounts match the responses to an operator', async () => {
  await using installation = await open()
  const send = (method: string, path: string, body?: object, key?: string) =>
    installation.request(method, `/admin/v1${path}`, { ...(body && { body }), ...(key !== undefined && { key }) })
  await send('GET', '/brands/brand_default')
  await send('POST', '/brands', { name: 'Northern Lights', hosts: ['video.example.com'] })
  await send('PATCH', '/brands/brand_default', { result_origin: 'https://media.example.com' })
  await send('POST', '/brands/brand_default/models', { model: 'imgA_5.0Pro', visibility: 'invocable' })
  await send('GET', '/brands/brand_default/models/imgA-5.0')
  await send('GET', '/brands/brand_default/models')
  await send('POST', '/brands/brand_default/default')
  await send('GET', '/accounts')
  await send('GET', '/accounts?cursor=1&limit=20')
  await send('GET', '/audit?cursor=9&limit=20')
  await send('GET', '/accounts/acct_1')
  await send('DELETE', '/keys/key_0')
  await send('GET', '/accounts/acct_1/keys')
  await send('GET', '/accounts/acct_1/entries')
  await send('POST', '/accounts', { name: 'Studio North' })
  await send('PATCH', '/accounts/acct_1', { tasks_in_flight_max: 20, over_limit: 'wait' })
  const headers = { 'idempotency-key': 'order-4711' }
  const grant = { amount: 250, note: 'thank you', reference: 'invoice-2026-017' }
  await installation.request('POST', '/admin/v1/accounts/acct_1/grants', { body: grant, headers })
  await send('GET', '/accounts/acct_1/grants/invoice-2026-017')
  await send('POST', '/accounts/acct_1/adjustments', { amount: -50, note: 'granted twice' })
  const key = { name: 'website', scopes: ['tasks:write', 'tasks:read'], spent_per_day_max: 50 }
  const { json } = await send('POST', '/accounts/acct_1/keys', key)
  await send('PATCH', `/keys/${json.id}`, { requests_per_second_max: 20 })
  await send('POST', `/keys/${json.id}/rotate`, { overlap_seconds: 3600 })
})

it('the examples of prices match the responses when an operator sets a price that begins later', async () => {
  await using installation = await open({ clock: () => noonMs })
  const body = priceExamples.body.value
  await installation.request('POST', '/admin/v1/prices', { body })
  const simulation = { models: [body.model], price: body.price }
  expect((await installation.request('POST', '/admin/v1/prices/simulate', { body: simulation })).status).toBe(200)
  await installation.request('GET', `/admin/v1/prices?model=${body.model}`)
  await installation.request('GET', `/admin/v1/prices/current?model=${body.model}&account=${body.account}`)
})

it.each(['import', 'upload'] as const)('examples of an asset by %s match the responses', async (method) => {
  await using studio = await open({
    clock: () => noonMs,
    publicUrl: 'http://127.0.0.1:8787',
    nextAssetId: idAtNoon('asset_', '9a4d2e6f8b0c3d52'),
    fetchUntrusted: async (url) => ({ stream: Readable.from([robot]), contentType: null, finalUrl: url, status: 200 }),
  })
  const send = (httpMethod: string, path: string, body?: object) =>
    studio.request(httpMethod, `/v2/assets${path}`, { ...(body && { body }) })
  async function storeAsset() {
    if (method === 'import') return send('POST', '/import', { url: 'https://example.com/robot.png' })
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(robot)]), 'robot.png')
    return studio.request('POST', '/v2/assets', { rawBody: form })
  }
  const { json: asset } = await storeAsset()
  await storeAsset()
  await send('GET', '')
  await send('GET', `/${asset.id}`)
  await send('DELETE', `/${asset.id}`)
  await send('DELETE', '/asset_none')
})

it('examples of a resumable upload match the responses', async () => {
  await using studio = await open({
    clock: () => noonMs,
    publicUrl: 'http://127.0.0.1:8787',
    nextAssetId: idAtNoon('asset_', '9a4d2e6f8b0c3d52'),
    nextUploadId: idAtNoon('upload_', '9a4d2e6f8b0c3d53'),
  })
  const tus = tusRequests(() => studio)
  const { id } = (await tus.create(robot.byteLength, metadataHeader({ name: 'robot.png' }))).json
  await tus.get(id)
  await tus.head(id)
  await studio.request('GET', uploadsPath)
  await tus.patch(id, 0, robot)
  await tus.get(id)
  await tus.delete(id)
  await tus.get(id)
  await studio.request('POST', uploadsPath)
})

it('the examples of routes match the responses when an operator sets, tests and removes a route', async () => {
  await using installation = await open({ clock: () => noonMs })
  const { upstreamBody, upstream, routeBody, route, testBody, explainBody } = routingExamples
  const send = (method: string, path: string, body?: object) =>
    installation.request(method, `/admin/v1${path}`, { ...(body && { body }) })
  await send('PUT', `/upstreams/${upstream.value.name}`, upstreamBody.value)
  await send('PUT', `/routes/${route.value.name}`, routeBody.value)
  await send('GET', '/upstreams')
  await send('GET', '/routes')
  await send('POST', '/routes/test', testBody.value)
  const pause = { kind: 'pause', untilMs: noonMs + 60_000, refusals: 1, condition: 'throttled' } as const
  await installation.changePool('route', route.value.name, pause)
  await send('POST', '/routes/explain', explainBody.value)
  await send('DELETE', `/routes/${route.value.name}`)
  await send('DELETE', `/upstreams/${upstream.value.name}`)
})

it('the examples of models match the responses when an operator defines, changes and deletes one', async () => {
  await using installation = await open({ clock: () => noonMs })
  const { definition, shown, change } = definitionExamples
  const modelPath = `/models/${encodeURIComponent(shown.value.id)}`
  const send = (method: string, path: string, body?: object) =>
    installation.request(method, `/admin/v1${path}`, { ...(body && { body }) })
  await send('POST', '/models/preview', definition.value)
  await send('POST', '/models', definition.value)
  await send('GET', '/models')
  await send('GET', modelPath)
  await send('PATCH', modelPath, change.value)
  await send('DELETE', modelPath)
})

it('the examples of attempts match the responses when an operator resolves a start whose response was lost', async () => {
  const { body, lost } = attemptExamples
  const { id, task, route, error, detail } = lost.value
  await using installation = await open({ clock: () => nowMs, nextTaskId: () => task })
  nowMs = noonMs
  await installation.request('POST', tasksPath, { body: deer })
  const [claim] = await claimEmbedded(installation.store, 1, 60_000, { route, snapshotNo: 1 })
  nowMs += 30_000
  const attemptNote = { unresolved: 'lost_reply', detail } as const
  await installation.store.fail(claim ?? { id: '', fence: 0 }, { code: 'lost_upstream', message: error ?? '' }, attemptNote)
  await installation.request('GET', '/admin/v1/attempts?unresolved=true')
  await installation.request('GET', `/admin/v1/attempts/${id}`)
  nowMs = noonMs + 3_600_000
  for (const resolution of [body.value.resolution, 'accepted_loss']) {
    await installation.request('POST', `/admin/v1/attempts/${id}/resolve`, { body: { ...body.value, resolution } })
  }
})

it('the examples of held tasks match the responses when an operator decides about tasks on hold', async () => {
  const { id } = heldTaskExamples.held.value
  await using installation = await open({ clock: () => noonMs, nextTaskId: () => id })
  const holdTask = () =>
    installation.store.database
      .updateTable('tasks')
      .set({ held: 1, waits: 2, virtual_start: null })
      .where('ended_at', 'is', null)
      .execute()
  await installation.request('POST', tasksPath, { body: deer })
  await holdTask()
  await installation.request('GET', '/admin/v1/held-tasks')
  expect((await installation.request('GET', '/admin/v1/held-tasks?cursor=7')).status).toBe(400)
  expect((await installation.request('POST', `/admin/v1/held-tasks/${id}/release`)).json).toEqual(heldTaskExamples.held.value)
  expect((await installation.request('POST', `/admin/v1/held-tasks/${id}/release`)).status).toBe(404)
  await holdTask()
  expect((await installation.request('POST', `/admin/v1/held-tasks/${id}/fail`)).status).toBe(200)
  expect((await installation.request('POST', `/admin/v1/held-tasks/${id}/fail`)).status).toBe(404)
  expect((await installation.request('GET', '/admin/v1/held-tasks')).json.items).toEqual([])
})

it('the examples of deletion match the responses for tasks and for the erasure of an account', async () => {
  const { task, tasks: deletedTasks, erasure } = deletionExamples
  const { id: taskId } = task.value
  for (const listPath of [tasksPath, '/admin/v1/accounts/acct_1/tasks']) {
    const ids = [taskId, `task_${Buffer.from(deletedTasks.value.next_cursor ?? '', 'base64url').toString('hex')}`]
    await using installation = await open({ clock: () => noonMs, nextTaskId: () => ids.shift() ?? '' })
    for (let count = 0; count < 2; count++) await installation.request('POST', tasksPath, { body: deer })
    expect((await installation.request('DELETE', `${listPath}?status=queued&limit=1`)).json).toEqual(deletedTasks.value)
    expect((await installation.request('DELETE', `${listPath}?all=true`)).json).toMatchObject({ deleted: 1, has_more: false })
    expect((await installation.request('DELETE', `${tasksPath}/${taskId}`)).json).toEqual(task.value)
    expect((await installation.request('DELETE', `/admin/v1/tasks/${taskId}`)).json).toEqual(task.value)
  }

  await using installation = await open({ clock: () => noonMs })
  expect((await installation.request('POST', '/admin/v1/accounts/acct_1/erase')).status).toBe(409)
  expect((await installation.request('GET', '/admin/v1/accounts/acct_1/erasure')).status).toBe(404)
  const { accountId, key } = await installation.newAccount(10)
  const submit = () => installation.request('POST', tasksPath, { body: deer, key })
  await submit()
  const { id } = (await submit()).json
  await installation.startAll()
  await installation.complete(id, { durationMs: 12_000 })
  await installation.request('PATCH', `/admin/v1/accounts/${accountId}`, { body: { status: 'closed' } })
  expect((await installation.request('POST', `/admin/v1/accounts/${accountId}/erase`)).json).toEqual(erasure.value)
  expect((await installation.request('GET', `/admin/v1/accounts/${accountId}/erasure`)).json).toEqual(erasure.value)
})

it('the examples of usage match the usage of all accounts', async () => {
  await using installation = await open({ clock: () => noonMs })
  const { store } = installation
  async function completeTask(body: object, snapshotNo: number, charge: number, paidMicroCredits: number | null): Promise<void> {
    await installation.request('POST', tasksPath, { body })
    const [claim] = await claimEmbedded(store, 1, 60_000, { route: 'fast', snapshotNo })
    if (claim === undefined) throw new Error('nothing was claimed')
    const result = { ...resultOf(claim), durationMs: claim.task.object === 'video' ? 8_000 : null }
    await store.complete(claim, [result], charge, { paidMicroCredits })
  }
  for (let count = 0; count < 2; count++) await completeTask(image, 0, 40_000, null)
  for (const paid of [280_000, 280_000, 280_000, null]) await completeTask({ ...deer, seconds: 8 }, 1, 560_000, paid)
  await installation.request('POST', tasksPath, { body: deer })
  const [claim] = await claimEmbedded(store, 1, 60_000, { route: 'fast', snapshotNo: 1 })
  await store.fail(claim ?? { id: '', fence: 0 }, { code: 'upstream_failed', message: 'x' }, { paidMicroCredits: 0 })
  await installation.request('GET', '/admin/v1/usage?by=account,model&from=2026-01-01&to=2026-01-31')
})

it('the examples of the OpenAI-compatible API match the responses', async () => {
  const { videoBody, video, model, imageBody, remixBody } = openAiExamples
  await using installation = await open({ clock: () => noonMs, nextTaskId: () => video.value.id })
  const send = (method: string, path: string, body?: object) =>
    installation.request(method, `/v1${path}`, { ...(body && { body }) })
  expect((await send('POST', '/videos', videoBody.value)).json).toEqual(video.value)
  await send('GET', `/videos?limit=5&after=${video.value.id.replace('task_0', 'task_1')}`)
  await send('GET', `/videos/${video.value.id}`)
  await send('GET', `/videos/${video.value.id}/content?variant=video`)
  const { key: reader } = await installation.newAccount(0, ['tasks:read'])
  await installation.request('POST', `/v1/videos/${video.value.id}/remix`, { body: remixBody.value, key: reader })
  // Sets the creation time of the brands to noon, as in the examples.
  await installation.store.database.updateTable('brands').set({ created_at: noonMs }).execute()
  await installation.request('PATCH', '/admin/v1/brands/brand_default', { body: { name: 'Northern Lights' } })
  await send('GET', `/models/${model.value.id}`)
  await send('DELETE', `/videos/${video.value.id}`)
  await send('GET', '/videos?order=desc')

  await using serviceWithShortWait = await open({
    limits: { imagesWaitTimeoutMs: 1 },
    nextTaskId: () => 'task_019bc1879c2b7f10b3f2c1e4d5a60718',
  })
  expect((await serviceWithShortWait.request('POST', '/v1/images/generations', { body: imageBody.value })).status).toBe(504)
})

it('the examples of a chat, and of its failures, match the responses', async () => {
  const { chatBody, chat: completion } = openAiExamples
  await using chat = await openChatService({ onResponse: (exchange) => examples.record(exchange) })
  const tooLong = 'This request has 9000 tokens, more than the maximum context length of 8192.'
  chat.upstream.next(
    ({ response }) => sendJson(response, 200, { ...completion.value, model: 'tiny' }),
    refuseWith(400, { message: tooLong, type: 'invalid_request_error', code: 'context_length_exceeded' }),
    () => undefined,
  )
  const send = () => chat.service.request('POST', '/v1/chat/completions', { body: chatBody.value })
  expect((await send()).json).toEqual(completion.value)
  expect((await send()).status).toBe(400)
  await chat.service.request('PATCH', `/admin/v1/models/${chatBody.value.model}`, { body: { deadline: 1 } })
  expect((await send()).status).toBe(504)
})

it.each([
  ['content_policy', 'The prompt was refused by the content rules.'],
  ['upstream_failed', 'The provider failed.'],
  [null, null],
] as const)('the example of images that end as %s matches the response', async (code, message) => {
  const id = 'task_019bc1879c2b7f10b3f2c1e4d5a60718'
  await using installation = await open({ nextTaskId: () => id })
  const requested = installation.request('POST', '/v1/images/generations', { body: openAiExamples.imageBody.value })
  await expect.poll(async () => (await installation.request('GET', `${tasksPath}/${id}`)).status).toBe(200)
  await installation.startAll()
  if (code === null) await installation.complete(id)
  else await installation.fail(id, { code, message })
  expect((await requested).status).toBe(code === null ? 200 : 422)
})

it('the examples of simulations match the responses', async () => {
  await submit({ ...image, simulate: { seconds: 10, outcome: 'content_policy' } })
})

it('the examples of quotes, models and health match the responses', async () => {
  const { key } = await service.newAccount(0.05)
  await service.request('POST', `${tasksPath}/quote`, { body: deer })
  await service.request('POST', `${tasksPath}/quote`, { body: lighthouse })
  await service.request('POST', `${tasksPath}/quote`, { body: { ...image, resolution: '2K' }, key })
  await get('/v2/model-center/models?limit=1&object=image')
  await get('/v2/model-center/models/imgA_5.0Pro')
  await get(`${service.origin}/healthz`)
  await get(`${service.origin}/readyz`)
})

const models = createCatalogue(defaultFamilies).models
it.each(models.map((model) => [model.id, model] as const))(
  'every example of %s is accepted if the model is available',
  async (_id, model) => {
    for (const body of model.examples) {
      const quote = await service.request('POST', `${tasksPath}/quote`, { body })
      expect(quote.status).toBe(200)
      const collections = [tasksPath, ...(model.v1Family === null ? [] : [`/v1/${model.v1Family}/videos`])]
      for (const path of collections) {
        const response = await service.request('POST', path, { body })
        // Text models need a provider, and this service has none.
        const isUnserved = model.object === 'text' && quote.json.reason === 'no_route'
        expect(response.status).toBe(isUnserved ? 503 : model.availability.available ? 202 : 403)
        if (response.status === 202) expect(response.json.amount).toBe(quote.json.amount)
      }
    }
  },
)

describe('errors of the examples', () => {
  it('the examples include each error of an invalid request', async () => {
    const postTask = (body: object, path = tasksPath) => service.request('POST', path, { body })
    await service.request('POST', tasksPath, { rawBody: '{"model": ', headers: jsonHeaders })
    await service.request('POST', tasksPath, { rawBody: 'model=x', headers: { 'content-type': 'text/plain' } })
    await service.request('POST', tasksPath, { rawBody: Buffer.alloc(17_000_000, 'x'), headers: jsonHeaders })
    await service.request('POST', tasksPath, { body: image, headers: { accept: 'text/html' } })
    await get(`${tasksPath}/%zz`)
    await postTask({ ...horses, seconds: 5 })
    await postTask({ ...image, aspectratio: '1:1' })
    await postTask({ ...image, model: 'ImgA 5.0' })
    await postTask({ ...image, reference_images: ['http://127.0.0.1/dog.jpg'] })
    await postTask(lighthouse)
    await postTask(deer, '/v1/vidC/videos')
    await service.request('POST', tasksPath, { body: deer, headers: { 'idempotency-key': 'order-4711' } })
    await get(`${tasksPath}/task_none`)
    await get('/nothing')
    await service.request('DELETE', '/v1/vidB/videos/task_none')
  })

  it('the examples include each error that simulate can cause', async () => {
    const refuse_with = 'no_route' satisfies SimulatedRefusal
    await service.request('POST', tasksPath, { body: { ...image, simulate: { refuse_with } } })
    await service.request('POST', tasksPath, { body: { ...image, max_amount: 0.03 } })
  })

  it('the examples include each error of a key, scope, balance or account', async () => {
    await service.request('GET', tasksPath, { key: null })
    await service.request('GET', tasksPath, { key: 'fg_live_wrong' })
    const poor = await service.newAccount(0.05)
    await service.request('POST', tasksPath, { body: { ...image, resolution: '2K' }, key: poor.key })
    const reader = await service.newAccount(
      1,
      scopes.filter((scope) => scope === 'tasks:read'),
    )
    await service.request('POST', tasksPath, { body: image, key: reader.key })
    await service.store.database.updateTable('accounts').set({ status: 'suspended' }).where('no', '=', reader.accountNo).execute()
    await service.keys.reload()
    await service.request('GET', tasksPath, { key: reader.key })
  })

  it("the examples include each error of a key's limits", async () => {
    const { key: busy } = await service.newAccount(1, scopes, { tasksInFlightMax: 1 })
    const { key: thrifty } = await service.newAccount(1, scopes, { spentPerDayMax: 100_000 })
    const { key: hasty } = await service.newAccount(1, scopes, { requestsPerSecondMax: 2 })
    for (let i = 0; i < 2; i++) await service.request('POST', tasksPath, { body: image, key: busy })
    for (let i = 0; i < 3; i++) await service.request('POST', tasksPath, { body: image, key: thrifty })
    for (let i = 0; i < 3; i++) await service.request('GET', '/v2/credits', { key: hasty })
  })

  it('the examples include each error of ended tasks and of results', async () => {
    const id = await submit(image)
    await service.startAll()
    await service.complete(id)
    await service.request('POST', `${tasksPath}/${id}/cancel`)
    const link = (await get(`${tasksPath}/${id}`)).json.result_url.replace('http://127.0.0.1:8787', service.origin)
    await service.fetch(link, { headers: { range: 'bytes=5000-' } })
    await service.fetch(link.replace('signature=', 'signature=x'))
    service.clockAheadMs = dayMs
    await service.fetch(link)
    service.clockAheadMs = 0
  })

  it('the examples include the errors of the asset quota', async () => {
    await using small = await open({
      assetQuota: { assetsMax: 2, bytesMax: 1_000_000 },
      fetchUntrusted: async (url) => ({
        stream: Readable.from([plainPng(8, url.length)]),
        contentType: null,
        finalUrl: url,
        status: 200,
      }),
    })
    for (const name of ['a', 'ab', 'abc'])
      await small.request('POST', '/v2/assets/import', { body: { url: `https://example.com/${name}` } })
  })

  it('the examples include connection errors and internal errors', async () => {
    await using hasty = await open({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, timeoutCheckMs: 100 } })
    await hasty.raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    await hasty.raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)

    await using broken = await open({
      changeStore: (store) =>
        changed(store, {
          accept: async () => ({ kind: 'overloaded' }),
          list: () => Promise.reject(new Error('broken')),
        }),
    })
    await broken.request('POST', tasksPath, { body: image })
    await broken.request('GET', tasksPath)
  })
})

it('a dry run of the import of a pack succeeds', async () => {
  await using otherService = await open()
  await otherService.request('PUT', '/admin/v1/upstreams/rep', { body: { driver: 'replicate', api_key: 'r8_abc' } })
  const body = { sources: ['pack:replicate-flux-schnell'], id: 'flux-schnell', price: { per_image: 0.01 }, dry_run: true }
  expect((await otherService.request('POST', '/admin/v1/models/import', { body })).status).toBe(200)
})

it('every example of the document was checked', () => {
  expect(examples.unverified).toEqual([])
  expect(examples.all.length).toBeGreaterThan(100)
})
