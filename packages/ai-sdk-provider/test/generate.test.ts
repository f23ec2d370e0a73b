import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { APICallError } from '@ai-sdk/provider'
import { unwrapWebhook, type Task } from '@framegate/sdk'
import * as ai7 from 'ai'
import * as ai6 from 'ai-6'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { startServer, type StartedServer } from '../../server/test/started-server.ts'
import { createFramegate, type FramegateOptions, type FramegateProvider } from '../src/index.ts'

let folder: string
let server: StartedServer
let framegate: FramegateProvider
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-ai-sdk-'))
  // 127.0.0.1 is permitted for the webhook receiver.
  server = await startServer(path.join(folder, 'data'), { FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
  framegate = createFramegate({ apiKey: server.apiKey, baseURL: server.baseUrl })
  globalThis.AI_SDK_LOG_WARNINGS = false
})
afterAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = undefined
  await server.stop()
  rmSync(folder, { recursive: true })
})

const video = { model: 'vidDq3-turbo', resolution: '540p', seconds: 1 }
const small = { framegate: { resolution: '540p', seconds: 1 } satisfies FramegateOptions }

async function newestTask(query = ''): Promise<Task> {
  const response = await server.request('GET', `/v2/model-center/tasks?limit=1&view=full${query}`)
  const { items } = (await response.json()) as { items: Task[] }
  if (items[0] === undefined) throw new Error('there is no task')
  return items[0]
}

async function countTasks(): Promise<number> {
  const response = await server.request('GET', '/v2/model-center/tasks?limit=100')
  return ((await response.json()) as { items: Task[] }).items.length
}

const isMp4 = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 8)).toString() === 'ftyp'
const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG'

describe.each([
  ['7', ai7.experimental_generateVideo, ai7.generateImage],
  ['6', ai6.experimental_generateVideo, ai6.generateImage],
] as const)('version %s of the AI SDK', (_version, generateVideo, generateImage) => {
  it('generateVideo returns the bytes of a video on a local server, the metadata of the task, and warnings', async () => {
    const result = await generateVideo({
      model: framegate.video(video.model),
      prompt: 'a red fox',
      aspectRatio: '16:9',
      duration: 1,
      fps: 24,
      seed: 7,
      providerOptions: { framegate: { resolution: '540p', max_amount: 5 } },
    })
    expect([result.video.mediaType, isMp4(result.video.uint8Array)]).toEqual(['video/mp4', true])
    expect(result.warnings).toMatchObject([{ type: 'unsupported', feature: 'fps' }])
    const task = await newestTask()
    expect(result.providerMetadata['framegate']).toMatchObject({
      taskId: task.id,
      amount: task.amount,
      actualDuration: 1,
      videos: [{ taskId: task.id, mediaType: 'video/mp4', seed: 7 }],
    })
    expect(task.parameters).toMatchObject({ prompt: 'a red fox', aspect_ratio: '16:9', seconds: 1, seed: 7, resolution: '540p' })
  })

  it('generateImage creates one task for each image and returns their bytes', async () => {
    const tasksBefore = await countTasks()
    const { images, providerMetadata, warnings } = await generateImage({
      model: framegate.image('imgA-5.0'),
      prompt: 'a quiet lake',
      size: '1024x1024',
      n: 2,
    })
    expect(images.map(({ mediaType, uint8Array }) => [mediaType, isPng(uint8Array)])).toEqual([
      ['image/png', true],
      ['image/png', true],
    ])
    expect(warnings).toEqual([])
    expect((providerMetadata['framegate']?.images ?? []).length).toBe(2)
    expect(await countTasks()).toBe(tasksBefore + 2)
    expect((await newestTask()).parameters).toMatchObject({ aspect_ratio: '1:1', resolution: '1K' })
  })

  it('generateVideo accepts an image as its first frame', async () => {
    const image = plainPng(320, 180)
    await generateVideo({
      model: framegate.video(video.model),
      prompt: { image, text: 'it moves' },
      providerOptions: small,
    })
    const { parameters } = await newestTask()
    expect(parameters).toMatchObject({ prompt: 'it moves', first_frame: { content_type: 'image/png', size_bytes: image.length } })
  })

  it('a rejected request gives an APICallError and is not retried', async () => {
    const tasksBefore = await countTasks()
    const error = await generateVideo({
      model: framegate.video(video.model),
      prompt: 'x',
      duration: 99,
      providerOptions: { framegate: { shine: 1 } },
    }).catch((caught: unknown) => caught)
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 400, isRetryable: false, data: { code: 'invalid_parameter', param: 'seconds' } })
    expect((error as APICallError).data).toMatchObject({ errors: [{ pointer: '/seconds' }, { pointer: '/shine' }] })
    expect(await countTasks()).toBe(tasksBefore)
  })

  it('a model of the other type is rejected before a task is created', async () => {
    const tasksBefore = await countTasks()
    await expect(generateImage({ model: framegate.image(video.model), prompt: 'x' })).rejects.toMatchObject({
      name: 'AI_NoSuchModelError',
      message: 'vidDq3-turbo is not a model for images: its type is video. Use video("vidDq3-turbo") of this provider.',
    })
    await expect(generateVideo({ model: framegate.video('imgA-5.0'), prompt: 'x' })).rejects.toMatchObject({
      name: 'AI_NoSuchModelError',
      message: 'imgA-5.0 is not a model for videos: its type is image. Use image("imgA-5.0") of this provider.',
    })
    expect(await countTasks()).toBe(tasksBefore)
  })

  it('a failed task rejects with its reason', async () => {
    const call = generateImage({
      model: framegate.image('imgA-5.0'),
      prompt: 'x',
      providerOptions: { framegate: { simulate: { outcome: 'content_policy' } } },
    })
    await expect(call).rejects.toMatchObject({ code: 'content_policy', message: expect.stringMatching(/^The task task_/) })
  })

  it('an aborted call cancels its task', async () => {
    const controller = new AbortController()
    const call = generateVideo({
      model: framegate.video(video.model),
      prompt: 'never',
      abortSignal: controller.signal,
      providerOptions: { framegate: { simulate: { outcome: 'stuck' } } },
    }).catch((error: unknown) => error)
    await expect.poll(async () => (await newestTask()).parameters?.['prompt']).toBe('never')
    controller.abort(new Error('enough'))
    expect(String(await call)).toContain('enough')
    expect(await newestTask()).toMatchObject({ error_code: 'cancelled', amount: 0 })
  })
})

describe('starts and status queries of version 7', () => {
  it('generateVideo with poll starts one task although the first response is lost', async () => {
    const tasksBefore = await countTasks()
    const result = await ai7.experimental_generateVideo({
      model: framegate.video(video.model),
      prompt: 'a kite',
      providerOptions: { framegate: { ...small.framegate, simulate: { lose_answer: true } } },
      poll: { intervalMs: 50 },
    })
    expect(isMp4(result.video.uint8Array)).toBe(true)
    expect(await countTasks()).toBe(tasksBefore + 1)
    expect(result.providerMetadata['framegate']).toMatchObject({ taskId: (await newestTask()).id, actualDuration: 1 })
  })

  it('a start and a status query that fail temporarily are retried by the AI SDK, and only one task is created', async () => {
    const tasksBefore = await countTasks()
    const failuresLeft = { POST: 5, GET: 5 }
    const provider = createFramegate({
      apiKey: server.apiKey,
      baseURL: server.baseUrl,
      async fetch(url, init) {
        const method = init?.method === 'POST' ? 'POST' : 'GET'
        if (!new Request(url).url.includes('/tasks') || failuresLeft[method] === 0) return await fetch(url, init)
        failuresLeft[method] -= 1
        // The last attempt of the client fails without a response.
        if (failuresLeft[method] === 1) throw new TypeError('the connection was lost')
        return new Response('{}', { status: 503, headers: { 'retry-after': '0' } })
      },
    })
    const result = await ai7.experimental_generateVideo({
      model: provider.video(video.model),
      prompt: 'a lighthouse',
      providerOptions: small,
      poll: { intervalMs: 50 },
    })
    expect(isMp4(result.video.uint8Array)).toBe(true)
    expect(failuresLeft).toEqual({ POST: 0, GET: 0 })
    expect(await countTasks()).toBe(tasksBefore + 1)
  })

  it('another process can query a stored operation', async () => {
    const headers = { 'Idempotency-Key': 'order-1' }
    const options = { model: framegate.video(video.model), prompt: 'a boat', providerOptions: small, headers }
    const { operation } = await ai7.experimental_startVideo(options)
    // A repeated start with the same key returns the same task.
    expect((await ai7.experimental_startVideo(options)).operation).toEqual(operation)
    const storedOperation: unknown = JSON.parse(JSON.stringify(operation))
    const another = createFramegate({ apiKey: server.apiKey, baseURL: server.baseUrl }).video(video.model)
    const status = () => ai7.experimental_getVideoStatus(another, { operation: storedOperation as typeof operation })
    await expect.poll(async () => (await status()).status).toBe('completed')
    const completed = await status()
    expect(completed).toMatchObject({ status: 'completed' })
  })

  it('the status of a failed task is an error with its code', async () => {
    const call = ai7.experimental_generateVideo({
      model: framegate.video(video.model),
      prompt: 'x',
      providerOptions: { framegate: { simulate: { outcome: 'upstream_failed' } } },
      poll: { intervalMs: 50 },
    })
    await expect(call).rejects.toThrow(/^upstream_failed: /)
  })

  it('a webhook replaces polling, and the service signs it', async () => {
    const { secret } = (await (await server.request('GET', '/v2/webhooks/secret')).json()) as { secret: string }
    const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>()
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.end()
      received.resolve({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const result = await ai7.experimental_generateVideo({
      model: framegate.video(video.model),
      prompt: 'a bell',
      providerOptions: small,
      webhook: async () => ({ url, received: received.promise }),
    })
    receiver.close()
    expect(isMp4(result.video.uint8Array)).toBe(true)
    const { headers, body } = await received.promise
    expect(await unwrapWebhook(body, headers, secret)).toMatchObject({
      type: 'task.completed',
      data: { id: (await newestTask()).id },
    })
  })

  it('frames and references become parameters, and unsupported settings become warnings', async () => {
    const frame = plainPng(320, 180)
    const start = async (options: object) =>
      ai7.experimental_startVideo({
        model: framegate.video(video.model),
        prompt: 'x',
        providerOptions: { framegate: { simulate: { outcome: 'stuck' } } },
        ...options,
      })
    const cancel = async () => server.request('POST', `/v2/model-center/tasks/${(await newestTask()).id}/cancel`)
    const first = { image: frame, frameType: 'first_frame' }

    const { warnings } = await start({ frameImages: [first, { image: frame, frameType: 'last_frame' }], generateAudio: true })
    expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'generateAudio' }])
    const file = { size_bytes: frame.length }
    expect((await newestTask()).parameters).toMatchObject({ first_frame: file, last_frame: file })
    await cancel()

    expect((await start({ inputReferences: [frame] })).warnings).toMatchObject([{ feature: 'inputReferences' }])
    await cancel()
    const references = await start({ model: framegate.video('sd_2.0_special'), inputReferences: [frame], generateAudio: true })
    expect(references.warnings).toEqual([])
    expect((await newestTask()).parameters).toMatchObject({ reference_images: [file], audio: true })
    await cancel()
  })
})

describe('the provider', () => {
  it('a provider registry of the AI SDK finds image models, and the error for a language model names another package', async () => {
    const registry = ai7.createProviderRegistry({ framegate })
    expect(registry.imageModel('framegate:imgA-5.0')).toMatchObject({ provider: 'framegate.image', modelId: 'imgA-5.0' })
    expect(() => framegate.languageModel('gpt')).toThrow('@ai-sdk/openai-compatible')
  })

  it('a missing API key causes an error when a model is called, not when the provider is created', async () => {
    const model = createFramegate({ apiKey: '', baseURL: server.baseUrl }).image('imgA-5.0')
    await expect(ai7.generateImage({ model, prompt: 'x' })).rejects.toMatchObject({ code: 'missing_api_key' })
  })

  it('the headers of the provider and of a call are sent with its submit', async () => {
    const sentRequests: { url: string; headers: Headers }[] = []
    const provider = createFramegate({
      apiKey: server.apiKey,
      baseURL: server.baseUrl,
      headers: { 'X-Team': 'videos' },
      fetch: (url, init) => {
        sentRequests.push({ url: new Request(url).url, headers: new Headers(init?.headers) })
        return fetch(url, init)
      },
    })
    await ai7.generateImage({ model: provider.image('imgA-5.0'), prompt: 'x', headers: { 'X-Request': '1' } })
    const submit = sentRequests.find(({ url }) => url.endsWith('/tasks'))
    expect([submit?.headers.get('x-team'), submit?.headers.get('x-request')]).toEqual(['videos', '1'])
    expect(submit?.headers.get('user-agent')).toContain('ai/')
  })
})
