import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from '../http-service.ts'
import { plainPng } from '../plain-png.ts'

let service: HttpService
let client: OpenAI
beforeAll(async () => {
  service = await openHttpService()
  client = new OpenAI({ apiKey: service.key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 })
})
afterAll(() => service[Symbol.asyncDispose]())

const model = 'vidC2Stable' as never
const imageModel = 'imgA-5.0'

describe('videos through the official client', () => {
  it('a video is created, polled, listed, downloaded and deleted', async () => {
    const created = await client.videos.create({ model, prompt: 'A train', seconds: '15' as never, size: '1280x720' })
    expect(created).toMatchObject({
      object: 'video',
      model: 'vidC2Stable',
      status: 'queued',
      progress: 0,
      seconds: '15',
      size: '1280x720',
      prompt: 'A train',
      completed_at: null,
      expires_at: null,
      error: null,
    })
    await service.startAll()
    const { data: running, response } = await client.videos.retrieve(created.id).withResponse()
    expect(running.status).toBe('in_progress')
    expect(response.headers.get('openai-poll-after-ms')).toBe('5000')
    await expect(client.videos.downloadContent(created.id)).rejects.toThrow('query it again until its status is completed')
    await service.complete(created.id, { durationMs: 15_000, bytes: Buffer.from('a video') })
    const endedVideo = await client.videos.retrieve(created.id)
    expect(endedVideo).toMatchObject({ status: 'completed', progress: 100, seconds: '15' })
    expect(endedVideo.completed_at).toBeTypeOf('number')
    const content = await client.videos.downloadContent(created.id)
    expect(await content.text()).toBe('a video')
    expect(await client.videos.delete(created.id)).toEqual({ id: created.id, object: 'video.deleted', deleted: true })
    await expect(client.videos.retrieve(created.id)).rejects.toMatchObject({ status: 404, code: 'task_not_found' })
  })

  it('the numbers of a simulation are accepted, although the client sends them as texts of a form', async () => {
    const body = { model, prompt: 'x', simulate: { seconds: 3, outcome: 'content_policy' } }
    const { id, status } = await client.videos.create(body)
    expect(status).toBe('queued')
    await client.videos.delete(id)
    const wrongBody = { ...body, simulate: { seconds: 'soon' } }
    await expect(client.videos.create(wrongBody as never)).rejects.toMatchObject({ param: 'simulate' })
  })

  it('the client reads all pages of a list', async () => {
    const created: string[] = []
    for (let n = 0; n < 5; n++) created.unshift((await client.videos.create({ model, prompt: `${n}` })).id)
    const listed: string[] = []
    for await (const video of client.videos.list({ limit: 2 })) listed.push(video.id)
    expect(listed).toEqual(created)
  })

  it('a file is the first frame of the video and an asset of the account', async () => {
    const file = await toFile(plainPng(64, 64), 'frame.png', { type: 'image/png' })
    const { id } = await client.videos.create({ model: 'vidK O3 Video Generation', prompt: 'x', input_reference: file })
    const task = (await service.request('GET', `/v2/model-center/tasks/${id}`)).json
    expect(task.parameters.first_frame).toMatch(/^asset:asset_/)
  })

  it.each([
    [{ size: '1x1' as never }, 'size', /^400 size must be .*1280x720/],
    [{ seconds: '99' as never }, 'seconds', /seconds must be/],
    [{ colour: 'red' } as never, 'colour', /unknown parameter 'colour'/],
    [{ model: 'imgA-5.0' as never }, 'model', /generates images; send the request to \/v1\/images\/generations/],
    [{ model: 'none' as never }, 'model', /there is no model "none"/],
  ])('a video with %j is rejected, and the error names the field %s', async (fields, param, message) => {
    const creditsBefore = (await service.request('GET', '/v2/credits')).json
    const refused = client.videos.create({ model, prompt: 'x', ...fields })
    await expect(refused).rejects.toMatchObject({ param, message: expect.stringMatching(message) })
    expect((await service.request('GET', '/v2/credits')).json).toEqual(creditsBefore)
  })
})

async function endUntil(signal: AbortSignal, end: (id: string) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await endAll(end)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Starts all queued tasks, and calls `end` for each image task in progress. */
async function endAll(end: (id: string) => Promise<void>): Promise<void> {
  await service.startAll()
  const { items } = (await service.request('GET', '/v2/model-center/tasks?status=processing&object=image')).json
  for (const { id } of items as { id: string }[]) await end(id)
}

function complete(id: string): Promise<void> {
  return service.complete(id, { durationMs: null, bytes: Buffer.from('an image') })
}

async function responseTo<Response>(response: Promise<Response>, end: (id: string) => Promise<void>): Promise<Response> {
  const responded = new AbortController()
  const ending = endUntil(responded.signal, end)
  try {
    return await response
  } finally {
    responded.abort()
    await ending
  }
}

/** Requests an image as a stream, and returns the types of its events. */
async function readEventTypes(): Promise<string[]> {
  const types: string[] = []
  const events = await client.images.generate({ model: imageModel, prompt: 'A lake', stream: true, partial_images: 2 })
  for await (const { type } of events) types.push(type)
  return types
}

/** Returns the seeds of the images of one request, in order. */
async function requestSeeds(parameters: { seed?: number }): Promise<(number | undefined)[]> {
  await responseTo(
    client.images.generate({
      model: imageModel,
      prompt: 'A mill',
      n: 3,
      ...parameters,
    } as OpenAI.ImageGenerateParamsNonStreaming),
    complete,
  )
  const { items } = (await service.request('GET', '/v2/model-center/tasks?limit=3&view=full')).json
  return (items as { parameters: { seed?: number } }[]).map(({ parameters: { seed } }) => seed).toReversed()
}

describe('images through the official client', () => {
  it('null in a field counts as an omitted field', async () => {
    const defaults = { n: null, size: null, quality: null, background: null, style: null, response_format: null, stream: null }
    const created = await responseTo(client.images.generate({ model: imageModel, prompt: 'A lake', ...defaults }), complete)
    expect(created.data?.map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64').toString())).toEqual(['an image'])
    // `videos.create` sends a form, which cannot contain null.
    const body = { model, prompt: 'A lake', seconds: null, size: null, input_reference: null }
    expect(await client.post('/videos', { body })).toMatchObject({ status: 'queued', model })
    const withoutPrompt = client.images.generate({ model: imageModel, prompt: null as never })
    await expect(withoutPrompt).rejects.toMatchObject({ status: 400, param: 'prompt' })
  })

  it('images come in base64 or as links', async () => {
    const created = await responseTo(client.images.generate({ model: imageModel, prompt: 'A lake', n: 2 }), complete)
    expect(created.data?.map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64').toString())).toEqual([
      'an image',
      'an image',
    ])
    const linked = await responseTo(
      client.images.generate({ model: imageModel, prompt: 'A lake', response_format: 'url' }),
      complete,
    )
    expect(await (await fetch(linked.data?.[0]?.url ?? '')).text()).toBe('an image')
  })

  it('values that request the default behavior of OpenAI are accepted', async () => {
    const defaults = {
      n: 1,
      size: 'auto',
      quality: 'auto',
      background: 'opaque',
      moderation: 'low',
      output_format: 'png',
      output_compression: 100,
      response_format: 'b64_json',
      style: 'vivid',
      stream: false,
    } as const
    const created = await responseTo(client.images.generate({ model: imageModel, prompt: 'A lake', ...defaults }), complete)
    expect(created.data).toHaveLength(1)
  })

  it('the images of one request have different seeds, with or without a seed in the request', async () => {
    const [firstSeed, ...otherSeeds] = await requestSeeds({})
    expect(firstSeed).toBeUndefined()
    expect(new Set(otherSeeds).size).toBe(2)
    expect(await requestSeeds({ seed: 4_294_967_294 })).toEqual([4_294_967_294, 4_294_967_295, 0])
  })

  it('an image comes as an event of a stream', async () => {
    expect(await responseTo(readEventTypes(), complete)).toEqual(['image_generation.completed'])
  })

  it('each image of a stream is sent when it is complete, and a failed image is an error after the others', async () => {
    const events = await client.images.generate({ model: imageModel, prompt: 'A lake', stream: true, n: 3 })
    const reading = events[Symbol.asyncIterator]()
    await service.startAll()
    const { items } = (await service.request('GET', '/v2/model-center/tasks?status=processing&object=image')).json
    const [firstId, secondId, thirdId] = (items as { id: string }[]).map(({ id }) => id)
    await complete(secondId ?? '')
    expect((await reading.next()).value).toMatchObject({ type: 'image_generation.completed' })
    await service.fail(firstId ?? '', { code: 'content_policy', message: 'The prompt was refused.' })
    await complete(thirdId ?? '')
    expect((await reading.next()).value).toMatchObject({ type: 'image_generation.completed' })
    await expect(reading.next()).rejects.toThrow('The prompt was refused.')
  })

  it('an edit takes files as reference images', async () => {
    const file = await toFile(plainPng(64, 64), 'a.png', { type: 'image/png' })
    const edited = await responseTo(client.images.edit({ model: imageModel, prompt: 'Red', image: [file] }), complete)
    expect(edited.data).toHaveLength(1)
  })

  it('a failed image is an error with status 422 and the code of its reason', async () => {
    const refused = responseTo(client.images.generate({ model: imageModel, prompt: 'A lake' }), (id) =>
      service.fail(id, { code: 'content_policy', message: 'The prompt was refused.' } as never),
    )
    await expect(refused).rejects.toMatchObject({ status: 422, code: 'content_refused' })
  })
})

it('a connection that waits for images is not closed as idle', async () => {
  await using idleLimitedService = await openHttpService({ limits: { silenceMs: 1_000 } })
  const openai = new OpenAI({ apiKey: idleLimitedService.key, baseURL: `${idleLimitedService.baseUrl}/v1`, maxRetries: 0 })
  const created = openai.images.generate({ model: 'imgA-5.0', prompt: 'A lake' })
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  await idleLimitedService.startAll()
  const { items } = (await idleLimitedService.request('GET', '/v2/model-center/tasks')).json
  await idleLimitedService.complete(items[0].id, { durationMs: null })
  expect((await created).data).toHaveLength(1)
})

it('models are listed and retrieved by ids with spaces', async () => {
  const models = await client.models.list()
  expect(models.data.length).toBeGreaterThan(30)
  const id = 'vidK O3 Video Generation'
  expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'Framegate' })
  await expect(client.models.retrieve('none')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
})
