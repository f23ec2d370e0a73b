import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const model = 'vidK O3 Video Generation'
const kling = 'fal-ai/kling-video/o3'

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const requestAdmin = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1${path}`, { ...(body && { body }) })
const submit = (body: object) => service.request('POST', '/v2/model-center/tasks', { body: { model, prompt: 'a kite', ...body } })
const quoteTask = (body: object) =>
  service.request('POST', '/v2/model-center/tasks/quote', { body: { model, prompt: 'a kite', ...body } })
const viewModel = async (id = model) => (await service.request('GET', `/v2/model-center/models/${encodeURIComponent(id)}`)).json

const documentedSchema = async () =>
  (await service.request('GET', '/openapi.json')).json.components.schemas.vidK_O3_Video_Generation.properties

async function setRoute(name: string, route: object, driver = 'fal'): Promise<number> {
  const upstream = { driver, base_url: 'http://127.0.0.1:9', api_key: 'key-4711' }
  await requestAdmin('PUT', `/upstreams/${name}`, upstream)
  return (await requestAdmin('PUT', `/routes/${name}`, { model, upstream: name, ...route })).status
}

describe('a model on one route that supports some of its values', () => {
  beforeEach(async () => {
    expect(await setRoute('pro', { upstream_model: `${kling}/pro/text-to-video` })).toBe(201)
  })

  it('a submit without a narrowed parameter is accepted, with a default that the route supports', async () => {
    const submitted = await submit({})
    expect(submitted.status).toBe(202)
    const task = await service.request('GET', `/v2/model-center/tasks/${submitted.json.id}`)
    expect(task.json).toMatchObject({ amount: 0.85, parameters: { resolution: '1080p', seconds: 5 } })
    expect((await quoteTask({})).json).toMatchObject({ available: true, amount: 0.85, parameters: { resolution: '1080p' } })
  })

  it('the model shows the supported values of the route, and which values were narrowed', async () => {
    const { parameters, narrowed, capabilities, limits, examples, price } = await viewModel()
    expect(price.credits).toEqual({ '1080p': 0.17 })
    expect(parameters.properties).toMatchObject({
      resolution: { const: '1080p', default: '1080p' },
      aspect_ratio: { enum: ['1:1', '16:9', '9:16'], default: '16:9' },
      seconds: { minimum: 3, maximum: 15, default: 5 },
    })
    expect(Object.keys(parameters.properties)).toEqual([
      'model',
      'prompt',
      'aspect_ratio',
      'resolution',
      'seconds',
      'audio',
      'watermark',
    ])
    expect(narrowed).toContainEqual({
      parameter: 'resolution',
      message: 'Values: 1080p instead of 720p or 1080p. Default: 1080p instead of 720p.',
    })
    expect(narrowed).toContainEqual({ parameter: 'first_frame', message: 'Not available.' })
    expect(capabilities).toEqual(['text-to-video', 'audio'])
    expect(limits).toMatchObject({ reference_images_max: 0, data_uri_characters_max: 0 })
    expect(examples).toEqual([expect.objectContaining({ prompt: expect.any(String) })])
    const list = await service.request('GET', '/v2/model-center/models?limit=100')
    expect(list.json.items.find(({ id }: { id: string }) => id === model)).toEqual(await viewModel())
  })

  it('the OpenAPI document shows the narrowed values, and follows a change of the routes', async () => {
    expect(await documentedSchema()).toMatchObject({ resolution: { const: '1080p', default: '1080p' } })
    expect(await documentedSchema()).not.toHaveProperty('first_frame')
    await setRoute('standard', { upstream_model: `${kling}/standard/image-to-video` })
    expect(await documentedSchema()).toMatchObject({ resolution: { enum: ['720p', '1080p'], default: '1080p' }, first_frame: {} })
    await requestAdmin('DELETE', '/routes/pro')
    expect(await documentedSchema()).toMatchObject({ resolution: { const: '720p', default: '720p' } })
    await requestAdmin('DELETE', '/routes/standard')
    expect(await documentedSchema()).toMatchObject({ resolution: { enum: ['720p', '1080p'], default: '720p' }, seed: {} })
  })

  it('unsupported values of all fields are rejected together, with the values that the route supports', async () => {
    const refused = await submit({ resolution: '720p', aspect_ratio: '4:3', seed: 7 })
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({ code: 'invalid_parameter' })
    expect(refused.json.error.errors.map(({ message }: { message: string }) => message).toSorted()).toEqual([
      'aspect_ratio must be 1:1, 16:9 or 9:16; got "4:3"',
      'resolution must be 1080p, the only value for this model; got "720p"',
      `seed cannot be specified for ${model}; it takes prompt, aspect_ratio, resolution, seconds, audio and watermark`,
    ])
    expect((await quoteTask({ resolution: '720p' })).json.error.param).toBe('resolution')
  })

  it('an unavailable parameter is accepted with a value that has no effect', async () => {
    expect((await submit({ negative_prompt: '', reference_images: [] })).status).toBe(202)
    const { status, json } = await submit({ negative_prompt: '', audio: 'yes' })
    expect([status, json.error.errors.length, json.error.param]).toEqual([400, 1, 'audio'])
  })

  it('a simulated task accepts every value that the definition allows', async () => {
    expect((await submit({ resolution: '720p', seed: 7, simulate: { outcome: 'completed' } })).status).toBe(202)
  })

  it('an explanation shows operators the supported values of each route', async () => {
    await setRoute('reference', { upstream_model: `${kling}/pro/reference-to-video`, priority: 5 })
    const { json } = await requestAdmin('POST', '/routes/explain', { model })
    expect(json).toMatchObject({ outcome: 'route', parameters: { resolution: '1080p' } })
    expect(json.narrowed).toContainEqual({
      parameter: 'resolution',
      message: 'Values: 1080p instead of 720p or 1080p. Default: 1080p instead of 720p.',
      routes: [
        { route: 'pro', serves: '1080p' },
        { route: 'reference', serves: '1080p' },
      ],
    })
    expect(json.narrowed.some(({ parameter }: { parameter: string }) => parameter === 'reference_images')).toBe(false)
    await requestAdmin('DELETE', '/routes/pro')
    const explanation = (await requestAdmin('POST', '/routes/explain', { model })).json
    expect(explanation).toMatchObject({ outcome: 'route' })
    expect(explanation.narrowed).toContainEqual({
      parameter: 'reference_images',
      message: 'Required.',
      routes: [{ route: 'reference', serves: '0 to 7 images, required' }],
    })
  })
})

it('a retried submit returns its task although a new route has changed the default of an omitted parameter', async () => {
  const headers = { 'idempotency-key': 'kite-1' }
  const repeatSubmit = (overrides: object) =>
    service.request('POST', '/v2/model-center/tasks', { body: { model, prompt: 'a kite', ...overrides }, headers })
  const firstResponse = await repeatSubmit({})
  expect(firstResponse.json.parameters?.resolution ?? '720p').toBe('720p')
  await setRoute('words', { upstream_model: `${kling}/pro/text-to-video` })
  expect((await quoteTask({})).json.parameters.resolution).toBe('1080p')
  const repeated = await repeatSubmit({})
  expect([repeated.status, repeated.json.id, repeated.headers.get('idempotency-replayed')]).toEqual([
    202,
    firstResponse.json.id,
    'true',
  ])
  expect((await repeatSubmit({ resolution: '1080p' })).json.error.code).toBe('idempotency_key_reused')
  expect((await repeatSubmit({ prompt: 'another' })).json.error.code).toBe('idempotency_key_reused')
  expect((await repeatSubmit({ max_amount: 5 })).json.error.code).toBe('idempotency_key_reused')
})

describe('a model on several routes', () => {
  const image = 'https://example.com/day.png'

  it('a default is replaced if only a route with other values serves the rest of the request', async () => {
    await setRoute('words', { upstream_model: `${kling}/pro/text-to-video` })
    await setRoute('frames', { upstream_model: `${kling}/standard/image-to-video` })
    expect((await viewModel()).parameters.properties.resolution).toMatchObject({ enum: ['720p', '1080p'], default: '1080p' })
    expect((await quoteTask({})).json.parameters.resolution).toBe('1080p')
    expect((await quoteTask({ first_frame: image })).json).toMatchObject({ amount: 0.6, parameters: { resolution: '720p' } })
    expect((await submit({ first_frame: image })).status).toBe(202)
    const refused = await submit({ first_frame: image, resolution: '1080p' })
    expect(refused.json.error.errors).toEqual([
      expect.objectContaining({
        pointer: '/first_frame',
        message: `first_frame must be left out with the other parameters of this request; got "${image}"`,
      }),
      expect.objectContaining({
        pointer: '/resolution',
        message: 'resolution must be 720p with the other parameters of this request; got "1080p"',
      }),
    ])
  })

  it('a request needs one of the images that its routes need', async () => {
    await setRoute('frames', { upstream_model: `${kling}/pro/image-to-video` })
    expect((await viewModel()).parameters.required).toEqual(['model', 'prompt', 'first_frame'])
    expect((await submit({})).json.error).toMatchObject({ param: 'first_frame', message: /^first_frame is required for / })
    await setRoute('references', { upstream_model: `${kling}/pro/reference-to-video` })
    const { parameters, capabilities } = await viewModel()
    expect(parameters.required).toEqual(['model', 'prompt'])
    expect(parameters.anyOf).toEqual([{ required: ['first_frame'] }, { required: ['reference_images'] }])
    expect(capabilities).not.toContain('text-to-video')
    const refused = (await submit({})).json.error
    expect(refused.message).toBe(`first_frame or reference_images is required for ${model}`)
    expect((await submit({ reference_images: [image] })).status).toBe(202)
    expect((await submit({ first_frame: image })).status).toBe(202)
  })

  it('a model with a route that supports every value is shown as defined', async () => {
    const definedModel = await viewModel()
    await setRoute('pro', { upstream_model: `${kling}/pro/text-to-video` })
    await requestAdmin('PUT', '/routes/drawn', { model, upstream: 'embedded', priority: 9 })
    expect(await viewModel()).toEqual(definedModel)
    expect((await submit({ resolution: '720p', seed: 7 })).status).toBe(202)
  })

  it('a combination that no route supports is rejected with the supported values of each parameter', async () => {
    await setRoute('veo', { model: 'veo-3.1', upstream_model: 'veo-3.1-generate-001' }, 'veo')
    expect((await submit({ model: 'veo-3.1', seconds: 4 })).status).toBe(202)
    const refused = await submit({ model: 'veo-3.1', seconds: 4, resolution: '1080p' })
    expect(refused.json.error.errors).toEqual([
      expect.objectContaining({
        pointer: '/resolution',
        message: 'resolution must be 720p with the other parameters of this request; got "1080p"',
      }),
      expect.objectContaining({
        pointer: '/seconds',
        message: 'seconds must be 8 with the other parameters of this request; got 4',
      }),
    ])
  })

  it('a value is not shown if it only works with values that the model does not have', async () => {
    const turbo = 'vidDq3-turbo'
    await setRoute('hailuo', { model: turbo, upstream_model: 'MiniMax-Hailuo-2.3' }, 'minimax')
    // This provider's model generates 10-second videos only at 768p, so 1080p leaves only 6
    // seconds.
    expect((await viewModel(turbo)).parameters.properties).toMatchObject({
      seconds: { const: 6, default: 6 },
      resolution: { const: '1080p', default: '1080p' },
      aspect_ratio: { default: '16:9' },
    })
    expect((await submit({ model: turbo })).status).toBe(202)
    expect((await submit({ model: turbo, seconds: 10 })).json.error.param).toBe('seconds')
  })
})

it('a parameter that a workflow has no slot for is not shown, and its default determines the hold', async () => {
  const id = 'sd_2.0_special'
  const nodes = { 6: { class_type: 'Text', inputs: { text: '' } }, 4: { class_type: 'Size', inputs: { width: 0, height: 0 } } }
  const slots = { prompt: '6.text', width: '4.width', height: '4.height' }
  const defined = await viewModel(id)
  expect(await setRoute('gpu', { model: id, upstream_model: 'wan', workflow: nodes, slots }, 'comfyui')).toBe(201)
  const { parameters, narrowed } = await viewModel(id)
  expect(defined.parameters.properties).toHaveProperty('seconds')
  expect(Object.keys(parameters.properties)).toEqual(['model', 'prompt', 'aspect_ratio', 'resolution', 'watermark'])
  expect(narrowed).toContainEqual({ parameter: 'seconds', message: 'Not available.' })
  const quoted = (await quoteTask({ model: id })).json
  expect(quoted.parameters).not.toHaveProperty('seconds')
  const { seconds, resolution } = defined.parameters.properties
  expect(quoted.amount).toBeCloseTo(seconds.default * defined.price.credits[resolution.default], 6)
  expect((await submit({ model: id })).status).toBe(202)
  expect((await submit({ model: id, seconds: seconds.default })).json.error.param).toBe('seconds')
})

it('a range of decimals is narrowed to the limit of a route, and the example has only accepted parameters', async () => {
  const parameters = { prompt: {}, first_frame: {}, strength: { type: 'number', minimum: 0, maximum: 2.5 } }
  const definition = { id: 'decimals', object: 'video', parameters, required: ['first_frame'], price: { per_task: 1 } }
  expect((await requestAdmin('POST', '/models', definition)).status).toBe(201)
  const input = { first_frame: { field: 'image_url' }, strength: { maximum: 1.25 } }
  expect(await setRoute('some', { model: 'decimals', upstream_model: 'some/endpoint', input })).toBe(201)
  const shownModel = await viewModel('decimals')
  expect(shownModel.parameters.properties.strength).toMatchObject({ minimum: 0, maximum: 1.25 })
  expect(shownModel.examples).toEqual([{ model: 'decimals', first_frame: expect.stringMatching(/^https/) }])
  const quoted = await service.request('POST', '/v2/model-center/tasks/quote', { body: shownModel.examples[0] })
  expect(quoted.json).toMatchObject({ amount: 1, available: true })
})

describe('a route that can serve no request of its model', () => {
  it('a route that lacks an input that its model requires is rejected with the reason', async () => {
    await setRoute('pro', { upstream_model: `${kling}/pro/text-to-video` })
    const route = { model: 'vidH 1.1 v2 Image To Video', upstream: 'pro', upstream_model: `${kling}/pro/text-to-video` }
    const { status, json } = await requestAdmin('PUT', '/routes/useless', route)
    expect(status).toBe(400)
    expect(json.error.errors).toEqual([
      {
        pointer: '/upstream_model',
        code: 'invalid_parameter',
        message:
          'upstream_model cannot serve any request for vidH 1.1 v2 Image To Video: first_frame is not supported for this model; ' +
          'leave it out.',
      },
    ])
  })

  it('a model is shown as unavailable if its only route is one for all models, and that route cannot serve it', async () => {
    await setRoute('veo', { model: '*', upstream_model: 'veo-3.1-generate-001' }, 'veo')
    expect(await viewModel('imgA-5.0')).toMatchObject({ available: false, reason: 'no_route', narrowed: [] })
    expect(await viewModel('imgA_5.0Pro')).toMatchObject({ available: false, reason: 'brand_model_missing' })
    expect((await submit({ model: 'imgA-5.0' })).json.error.code).toBe('no_route')
    expect((await requestAdmin('POST', '/routes/explain', { model: 'imgA-5.0' })).json).toMatchObject({
      outcome: 'no_route',
      narrowed: [],
    })
    expect((await quoteTask({ model: 'imgA-5.0' })).json).toMatchObject({ available: false, reason: 'no_route' })
    expect(await viewModel('veo-3.1')).toMatchObject({ available: true, reason: null })
  })
})
