import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const flux = {
  id: 'flux-2-pro',
  object: 'image',
  title: 'FLUX.2 [pro]',
  parameters: {
    prompt: {},
    aspect_ratio: { enum: ['1:1', '4:5'] },
    guidance: { type: 'number', minimum: 1, maximum: 20, default: 3.5 },
    loras: {
      type: 'array',
      maxItems: 2,
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, scale: { type: 'number', maximum: 2 } },
        required: ['path'],
      },
    },
  },
  required: ['prompt'],
  price: { per_image: 0.05 },
}
const encodedId = encodeURIComponent(flux.id)

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const requestAdmin = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1${path}`, { ...(body && { body }) })
const create = (changes: object = {}) => requestAdmin('POST', '/models', { ...flux, ...changes })
const submit = (body: object, key?: string) =>
  service.request('POST', '/v2/model-center/tasks', { body: { model: flux.id, prompt: 'a fox', ...body }, ...(key && { key }) })
const listIds = async (): Promise<string[]> => {
  const ids: string[] = []
  let cursor = ''
  for (;;) {
    const { json } = await service.request('GET', `/v2/model-center/models?limit=100${cursor}`)
    ids.push(...json.items.map(({ id }: { id: string }) => id))
    if (json.next_cursor === null) return ids
    cursor = `&cursor=${json.next_cursor}`
  }
}

async function refusalOf(pending: ReturnType<typeof requestAdmin>): Promise<unknown[]> {
  const { status, json } = await pending
  return [status, json.error.code, json.error.param, json.error.message]
}

async function messagesOf(body: object): Promise<string[]> {
  return (await submit(body)).json.error.errors.map(({ message }: { message: string }) => message)
}

function submitWithKey(body: object): ReturnType<typeof requestAdmin> {
  return service.request('POST', '/v2/model-center/tasks', {
    body: { model: flux.id, prompt: 'a fox', ...body },
    headers: { 'idempotency-key': 'one' },
  })
}

async function openApiDocument() {
  return (await service.request('GET', '/openapi.json')).json
}

it('an operator defines a model, changes it and deletes it', async () => {
  const created = await create()
  expect([created.status, created.json]).toMatchObject([
    201,
    {
      object: 'model_definition',
      id: flux.id,
      source: 'api',
      place: null,
      definition: flux,
      price: { unit: 'image', credits: { '*': 0.05 } },
      fault: null,
    },
  ])
  expect((await requestAdmin('GET', `/models/${encodedId}`)).json).toEqual(created.json)
  expect((await requestAdmin('GET', '/models')).json.items).toEqual([created.json])
  const changed = await requestAdmin('PATCH', `/models/${encodedId}`, { title: null, price: { per_image: 0.06 } })
  expect(changed.json.definition).toEqual({ ...flux, title: undefined, price: { per_image: 0.06 } })
  expect(changed.json.version).toBeGreaterThan(created.json.version)
  expect((await requestAdmin('DELETE', `/models/${encodedId}`)).json.id).toBe(flux.id)
  expect((await requestAdmin('DELETE', `/models/${encodedId}`)).status).toBe(404)
  expect((await requestAdmin('GET', '/models')).json.items).toEqual([])
  const auditEntries = (await requestAdmin('GET', '/audit')).json.items
  expect(auditEntries.map(({ action, target }: { action: string; target: string }) => [action, target])).toEqual([
    ['model.delete', flux.id],
    ['model.change', flux.id],
    ['model.create', flux.id],
  ])
  expect([auditEntries[1].before.title, auditEntries[1].after.price]).toEqual([flux.title, { per_image: 0.06 }])
})

it('the preview of a definition is the model as clients see it after its creation, and saves nothing', async () => {
  const previewed = await requestAdmin('POST', '/models/preview', flux)
  expect(previewed.status).toBe(200)
  expect(await listIds()).not.toContain(flux.id)
  expect((await requestAdmin('GET', '/audit')).json.items).toEqual([])
  await create()
  expect((await service.request('GET', `/v2/model-center/models/${encodedId}`)).json).toEqual(previewed.json)
})

it('the preview of an invalid definition is rejected with the fields, and a definition without a price is accepted only if an operator has set one', async () => {
  const invalid = await requestAdmin('POST', '/models/preview', { ...flux, object: 'film', parameters: { promt: {} } })
  expect(invalid.status).toBe(400)
  expect(invalid.json.error.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain('/object')
  const unpriced = { ...flux, price: undefined }
  expect(await refusalOf(requestAdmin('POST', '/models/preview', unpriced))).toEqual([
    400,
    'invalid_parameter',
    'price',
    'price is required, because clients see only models with a price; the model has none yet.',
  ])
  await create()
  await requestAdmin('POST', '/prices', { model: flux.id, price: { unit: 'image', credits: { '*': 2 } } })
  expect((await requestAdmin('POST', '/models/preview', unpriced)).json.price.credits).toEqual({ '*': 2 })
})

it('clients see a defined model, quote it and submit tasks with its own parameters', async () => {
  await create()
  expect(await listIds()).toContain(flux.id)
  const { json: view } = await service.request('GET', `/v2/model-center/models/${encodedId}`)
  expect(view).toMatchObject({ id: flux.id, title: flux.title, family: 'custom', available: true, type: 'image' })
  expect(view.parameters.properties.guidance).toMatchObject({ type: 'number', default: 3.5 })
  expect(view.examples).toEqual([{ model: flux.id, prompt: expect.any(String) }])

  const quote = await service.request('POST', '/v2/model-center/tasks/quote', { body: { model: flux.id, prompt: 'a fox' } })
  expect(quote.json).toMatchObject({ amount: 0.05, available: true, parameters: { guidance: 3.5, aspect_ratio: '1:1' } })
  const loras = [{ path: 'style', scale: 1.5 }]
  const task = await submit({ guidance: 4, loras })
  expect([task.status, task.json.amount]).toEqual([202, 0.05])
  const { json: polled } = await service.request('GET', `/v2/model-center/tasks/${task.json.id}?view=full`)
  expect(polled.parameters).toEqual({ prompt: 'a fox', aspect_ratio: '1:1', guidance: 4, loras })
})

it('a request for a defined model is rejected with messages that name the field', async () => {
  await create()
  expect(await messagesOf({ guidance: 30 })).toEqual(['guidance must be a number from 1 to 20; got 30'])
  expect(await messagesOf({ guidence: 3 })).toEqual(["unknown parameter 'guidence'; did you mean 'guidance'?"])
  expect(await messagesOf({ loras: [{ scale: 3 }] })).toEqual([
    'loras[0].path is required for flux-2-pro: it must be a text of 0 to 10,000 characters',
    'loras[0].scale must be a number from -∞ to 2; got 3',
  ])
  expect(await messagesOf({ loras: [{ path: 'x', weight: 1 }] })).toEqual([
    'loras[0] must be an object with path and scale; path is required; it has the unknown property "weight"',
  ])
  expect(await messagesOf({ aspect_ratio: '16:9' })).toEqual(['aspect_ratio must be 1:1 or 4:5; got "16:9"'])
})

it('parameters of a defined model that together exceed 64 KiB are rejected, and the error names the largest one', async () => {
  await create({ parameters: { prompt: {}, words: { type: 'array', items: { type: 'string' } }, one: { type: 'string' } } })
  expect(await messagesOf({ one: 'x', words: Array.from({ length: 7 }, () => 'x'.repeat(10_000)) })).toEqual([
    'words is too large: the parameters that only flux-2-pro has may have at most 65,536 characters together as JSON; got 70,025',
  ])
  expect((await submit({ words: ['x'.repeat(10_000)] })).status).toBe(202)
})

it('a known idempotency key is rejected if a parameter of a defined model has another value', async () => {
  await create()
  const firstResponse = await submitWithKey({ guidance: 4, loras: [] })
  expect((await submitWithKey({ loras: [], guidance: 4 })).json.id).toBe(firstResponse.json.id)
  expect((await submitWithKey({ guidance: 5, loras: [] })).json.error.code).toBe('idempotency_key_reused')
})

it('a model without a price is visible only to operators, and clients cannot use it until it has one', async () => {
  const { price: _price, ...unpriced } = flux
  const created = await requestAdmin('POST', '/models', unpriced)
  expect(created.json).toMatchObject({ price: null, fault: null })
  expect(await listIds()).not.toContain(flux.id)
  const expected = "The model 'flux-2-pro' is not available because it has no price; ask the operator to set one."
  expect(await refusalOf(submit({}))).toEqual([403, 'brand_model_missing', 'model', expected])
  expect(await refusalOf(service.request('GET', `/v2/model-center/models/${encodedId}`))).toEqual([
    404,
    'model_not_found',
    'model',
    expected,
  ])
  const brandModel = await requestAdmin('GET', `/brands/brand_default/models/${encodedId}`)
  expect(brandModel.json).toMatchObject({ model: flux.id, price: null })

  const priceResponse = await requestAdmin('POST', '/prices', { model: flux.id, price: { unit: 'task', credits: { '*': 0 } } })
  expect(priceResponse.status).toBe(201)
  expect(await listIds()).toContain(flux.id)
  const task = await submit({})
  expect([task.status, task.json.amount]).toEqual([202, 0])
})

it('a task keeps the price and the deadline of the definition under which it was accepted', async () => {
  await create({
    id: 'clip',
    object: 'video',
    parameters: { prompt: {}, seconds: {} },
    price: { per_second: 0.1 },
    deadline: 100,
  })
  const task = (await submit({ model: 'clip', seconds: 10 })).json
  expect(task.amount).toBe(1)
  await requestAdmin('PATCH', '/models/clip', { price: { per_second: 5 }, deadline: 200 })
  const storedTask = await service.store.find(task.id)
  const definitionBefore = await service.models.readVersion(storedTask!.modelVersionNo!)
  expect(definitionBefore).toMatchObject({ price: { microCredits: { '*': 100_000 } }, limits: { deadlineSeconds: 100 } })
  await requestAdmin('DELETE', '/models/clip')
  expect(await service.models.readVersion(storedTask!.modelVersionNo!)).toMatchObject({ id: 'clip' })
  expect((await service.request('GET', `/v2/model-center/tasks/${task.id}`)).json).toMatchObject({
    status: 'queued',
    model: 'clip',
  })
})

it('a request that the price of a changed definition does not cover is rejected and not charged', async () => {
  await create({ parameters: { prompt: {}, resolution: { enum: ['1K'] } } })
  await requestAdmin('POST', '/prices', { model: flux.id, price: { unit: 'image', credits: { '1K': 1 } } })
  await requestAdmin('PATCH', `/models/${encodedId}`, { parameters: { prompt: {}, resolution: { enum: ['1K', '2K'] } } })
  expect((await submit({ resolution: '1K' })).json.amount).toBe(1)
  expect(await refusalOf(submit({ resolution: '2K' }))).toEqual([
    403,
    'brand_model_missing',
    'model',
    "The price of the model 'flux-2-pro' does not cover this request; ask the operator to update the price.",
  ])
})

it('a definition is rejected with all of its errors, each by its field', async () => {
  const { status, json } = await create({ titel: 'x', parameters: { prompt: {}, own: { type: 'string', pattern: '(a+)+' } } })
  expect(status).toBe(400)
  expect(json.error.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message])).toEqual([
    ['/titel', 'titel is not a field of a model; did you mean title?'],
    ['/parameters/own/pattern', expect.stringMatching(/^parameters.own.pattern must start with \^/)],
  ])
  expect(await refusalOf(create({ id: 'VIDDQ3-PRO' }))).toEqual([
    400,
    'invalid_parameter',
    'id',
    'id must be distinguishable: "VIDDQ3-PRO" looks like "vidDq3-pro" of a built-in model.',
  ])
  await create()
  expect(await refusalOf(create())).toEqual([409, 'conflict', null, 'The model flux-2-pro already exists; change or delete it.'])
  expect((await refusalOf(create({ id: 'Flux-2-Pro' })))[3]).toContain('looks like "flux-2-pro"')
  expect((await refusalOf(requestAdmin('PATCH', `/models/${encodedId}`, { id: 'other' })))[3]).toBe(
    'id cannot be changed; create another model and delete this one.',
  )
  expect((await requestAdmin('GET', '/models')).json.items).toHaveLength(1)
})

it('a route can be set as soon as its model exists, and a model with a route cannot be deleted', async () => {
  await requestAdmin('PUT', '/upstreams/studio', { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-x' })
  const route = { model: flux.id, upstream: 'studio', upstream_model: 'flux' }
  expect((await requestAdmin('PUT', '/routes/own', route)).json.error.message).toMatch(/model/)
  await create()
  expect((await requestAdmin('PUT', '/routes/own', route)).status).toBe(201)
  expect(await refusalOf(requestAdmin('DELETE', `/models/${encodedId}`))).toEqual([
    409,
    'conflict',
    null,
    'The route own serves the model flux-2-pro; remove the route first.',
  ])
  await requestAdmin('DELETE', '/routes/own')
  expect((await requestAdmin('DELETE', `/models/${encodedId}`)).status).toBe(200)
})

it('the list of defined models is paged', async () => {
  for (const id of ['a1', 'a2', 'a3']) await create({ id })
  const firstPage = (await requestAdmin('GET', '/models?limit=2')).json
  expect([firstPage.items.length, firstPage.has_more]).toEqual([2, true])
  const secondPage = (await requestAdmin('GET', `/models?limit=2&cursor=${firstPage.next_cursor}`)).json
  expect([secondPage.items.length, secondPage.has_more, secondPage.next_cursor]).toEqual([1, false, null])
})

it('a brand can show, rename and hide a defined model like any other', async () => {
  await create()
  await requestAdmin('POST', '/brands/brand_default/models', { model: flux.id, visibility: 'visible', title: 'House images' })
  expect((await service.request('GET', `/v2/model-center/models/${encodedId}`)).json).toMatchObject({
    title: 'House images',
    available: false,
    reason: 'brand_model_missing',
  })
  await requestAdmin('POST', '/brands/brand_default/models', { model: flux.id, visibility: 'hidden' })
  expect((await submit({})).status).toBe(404)
})

it('the OpenAPI document shows an existing defined model, and has a generic schema for later ones', async () => {
  const documentBefore = await openApiDocument()
  expect(documentBefore.components.schemas.SubmitRequest.oneOf.at(-1)).toEqual({ $ref: '#/components/schemas/OtherModelRequest' })
  expect(documentBefore.components.schemas.OtherModelRequest).toMatchObject({ required: ['model'], additionalProperties: true })
  await create({ id: 'Task' })
  await create({ id: '可灵' })
  await create({ id: '海螺' })
  const documentAfter = await openApiDocument()
  expect(documentAfter.components.schemas.Task.title).toBeUndefined()
  expect(documentAfter.components.schemas.Custom_Task.properties.guidance).toMatchObject({ type: 'number' })
  expect(documentAfter.components.schemas.SubmitRequest.discriminator.mapping).toMatchObject({
    Task: '#/components/schemas/Custom_Task',
    可灵: '#/components/schemas/Custom__',
    海螺: '#/components/schemas/Custom___2',
  })
})

it('a model that another process stores becomes known', async () => {
  const row = { id: flux.id, definition: JSON.stringify(flux), created_at: 1, changed_at: 1 }
  await service.store.database.insertInto('stored_models').values(row).execute()
  await vi.waitFor(async () => expect((await submit({})).status).toBe(202), { timeout: 5_000 })
})

it('a stored definition that the current version cannot read is disabled, and is shown with its error', async () => {
  const badModel = { ...flux, id: 'bad', parameters: { own: { type: 'tuple' } } }
  await service.store.database
    .insertInto('stored_models')
    .values({ id: 'bad', definition: JSON.stringify(badModel), created_at: 1, changed_at: 1 })
    .execute()
  await create()
  await vi.waitFor(async () => expect((await requestAdmin('GET', '/models')).json.items).toHaveLength(2), { timeout: 5_000 })
  expect((await requestAdmin('GET', '/models/bad')).json).toMatchObject({
    fault: expect.stringMatching(/parameters.own.type must be one of/),
    version: null,
  })
  expect((await submit({})).status).toBe(202)
})
