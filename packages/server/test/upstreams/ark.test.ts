import { describe, expect, it } from 'vitest'
import { arkDriver } from '../../src/drivers/ark/ark-driver.ts'
import { arkKey, arkProtocol } from './ark.protocol.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { startContext } from '../start-context.ts'

const errorOf = (status: number, code: string, message = 'said so', headers = {}) => ({
  status,
  headers,
  json: { error: { code, message: `${message}. Request id: 0217`, param: '', type: 'BadRequest' } },
})
const taskOf = (status: string, fields = {}) => ({
  status: 200,
  json: { id: 'job-1', model: 'dreamina-seedance-2-0-260128', status, created_at: 1_787_869_631, ...fields },
})
const failedTask = (code: string, message = 'it broke') => taskOf('failed', { error: { code, message } })

const generation25 = { model: 'dreamina-seedance-2-5-260628' }
const generation15 = { model: 'seedance-1-5-pro-251215' }
const generation10 = { model: 'doubao-seedance-1-0-pro-250528' }
const fast = { model: 'doubao-seedance-1-0-pro-fast-251015' }
const lite = { model: 'doubao-seedance-1-0-lite-i2v-250428' }
const seedream = { model: 'seedream-4-0-250828' }
const squareImage = { object: 'image', size: { width: 1024, height: 1024 } } as const

describeDriver({
  driver: arkDriver,
  protocol: arkProtocol,
  basePath: '/api/v3',
  credential: arkKey,
  target: { model: 'dreamina-seedance-2-0-260128' },
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', seconds: 8, seed: 7 },
      expect: ({ json, headers }) => {
        expect(headers['authorization']).toBe(`Bearer ${arkKey}`)
        expect(json).toEqual({
          model: 'dreamina-seedance-2-0-260128',
          content: [{ type: 'text', text: 'a kite over dunes' }],
          resolution: '720p',
          ratio: '16:9',
          duration: 8,
          seed: 7,
          watermark: false,
          generate_audio: false,
          callback_url: expect.stringContaining('/callbacks/'),
          safety_identifier: expect.stringMatching(/^task_/),
        })
      },
    },
    {
      title: 'a video with sound and a watermark',
      parameters: { prompt: 'a kite', audio: true, watermark: true, aspect_ratio: '21:9', resolution: '1080p' },
      expect: ({ json }) =>
        expect(json).toMatchObject({ generate_audio: true, watermark: true, ratio: '21:9', resolution: '1080p' }),
    },
    {
      title: 'a video between two frames',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: 'https://example.com/end.png' },
      expect: ({ json }) => {
        expect(json.content.slice(1)).toEqual([
          { type: 'image_url', image_url: { url: dot }, role: 'first_frame' },
          { type: 'image_url', image_url: { url: 'https://example.com/end.png' }, role: 'last_frame' },
        ])
        expect(json.ratio).toBe('16:9')
      },
    },
    {
      title: 'a video from a frame that decides the ratio',
      parameters: { prompt: 'it moves', first_frame: dot, seconds: 30 },
      target: generation25,
      expect: ({ json }) => expect(json).toMatchObject({ ratio: 'adaptive', duration: 30 }),
    },
    {
      title: 'a video from references',
      parameters: { prompt: 'both of them', reference_images: [dot, 'https://example.com/b.png'] },
      expect: ({ json }) =>
        expect(json.content.slice(1)).toEqual([
          { type: 'image_url', image_url: { url: dot }, role: 'reference_image' },
          { type: 'image_url', image_url: { url: 'https://example.com/b.png' }, role: 'reference_image' },
        ]),
    },
    {
      title: 'a video of a generation without sound',
      parameters: { prompt: 'a kite', seconds: 2 },
      target: generation10,
      expect: ({ json }) => expect(json).not.toHaveProperty('generate_audio'),
    },
    {
      title: "a video with the operator's fields",
      parameters: { prompt: 'a kite', negative_prompt: 'fog', seconds: 60 },
      target: {
        model: 'ep-20260101-abcde',
        parameters: { negative_prompt: 'negative' },
        extra: { service_tier: 'flex', safety_identifier: 'mine' },
      },
      expect: ({ json }) => {
        expect(json).toMatchObject({ negative: 'fog', service_tier: 'flex', duration: 60, generate_audio: false })
        expect(json.safety_identifier).toMatch(/^task_/)
      },
    },
    {
      title: 'an image from a prompt',
      parameters: { prompt: 'a tin robot' },
      request: squareImage,
      target: seedream,
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/api/v3/images/generations')
        expect(json).toEqual({
          model: 'seedream-4-0-250828',
          prompt: 'a tin robot',
          size: '1024x1024',
          watermark: false,
          response_format: 'url',
        })
      },
    },
    {
      title: 'an image from reference images',
      parameters: { prompt: 'both', reference_images: [dot, dot], watermark: true, resolution: '2K', aspect_ratio: '16:9' },
      request: { object: 'image', size: { width: 2720, height: 1536 } },
      target: { model: 'seedream-4-5-251128' },
      expect: ({ json }) => expect(json).toMatchObject({ image: [dot, dot], watermark: true, size: '2720x1536' }),
    },
    {
      title: 'an image of a size set by the operator, in the response',
      parameters: { prompt: 'a tin robot', resolution: '1K' },
      request: squareImage,
      target: { model: 'seedream-4-5-251128', extra: { size: '2048x2048', response_format: 'b64_json' } },
      expect: ({ json }) => expect(json.size).toBe('2048x2048'),
    },
    {
      title: 'an image with a seed',
      parameters: { prompt: 'a tin robot', seed: 3 },
      request: squareImage,
      target: { model: 'doubao-seedream-3-0-t2i-250415' },
      expect: ({ json }) => expect(json.seed).toBe(3),
    },
  ],
  refusedRequests: [
    { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    { title: 'too short a video', parameters: { seconds: 3 }, parameter: 'seconds' },
    { title: 'too long a video', parameters: { seconds: 16 }, parameter: 'seconds' },
    { title: 'too long for the newest generation', parameters: { seconds: 31 }, target: generation25, parameter: 'seconds' },
    { title: 'too long for Seedance 1.5', parameters: { seconds: 13 }, target: generation15, parameter: 'seconds' },
    { title: 'a ratio that the model does not support', parameters: { aspect_ratio: '3:2' }, parameter: 'aspect_ratio' },
    { title: 'a resolution that the model does not support', parameters: { resolution: '768p' }, parameter: 'resolution' },
    {
      title: 'a resolution that the small model does not support',
      parameters: { resolution: '1080p' },
      target: { model: 'doubao-seedance-2-0-mini-260615' },
      parameter: 'resolution',
    },
    {
      title: 'references beside a frame',
      parameters: { first_frame: dot, reference_images: [dot] },
      parameter: 'reference_images',
    },
    {
      title: 'ten references',
      parameters: { reference_images: Array.from({ length: 10 }, () => dot) },
      parameter: 'reference_images',
    },
    {
      title: 'references for Seedance 1.5',
      parameters: { reference_images: [dot] },
      target: generation15,
      parameter: 'reference_images',
    },
    { title: 'sound from Seedance 1.0', parameters: { audio: true }, target: generation10, parameter: 'audio' },
    {
      title: 'a last frame for the fast model',
      parameters: { first_frame: dot, last_frame: dot },
      target: fast,
      parameter: 'last_frame',
    },
    {
      title: 'a prompt alone where an image is required',
      parameters: { prompt: 'a kite' },
      target: lite,
      parameter: 'first_frame',
    },
    {
      title: 'a frame where only a prompt is accepted',
      parameters: { first_frame: dot },
      target: { model: 'seedance-1-0-lite-t2v-250428' },
      parameter: 'first_frame',
    },
    { title: 'options in the prompt', parameters: { prompt: 'a kite --dur 12' }, parameter: 'prompt' },
    {
      title: 'an image at 1K from a model that draws only larger images',
      parameters: {},
      object: 'image',
      target: { model: 'seedream-4-5-251128' },
      parameter: 'resolution',
    },
    { title: 'a seed for an image', parameters: { seed: 1 }, object: 'image', target: seedream, parameter: 'seed' },
    {
      title: 'a negative prompt for an image',
      parameters: { negative_prompt: 'fog' },
      object: 'image',
      target: seedream,
      parameter: 'negative_prompt',
    },
  ],
  submitErrors: [
    { title: 'a bad field', response: errorOf(400, 'InvalidParameter'), means: 'invalid_input' },
    { title: 'a missing field', response: errorOf(400, 'MissingParameter.content'), means: 'invalid_input' },
    {
      title: 'a violated rule of the kind of task',
      response: errorOf(400, 'InvalidParameter.TaskTypeConstraint'),
      means: 'invalid_input',
    },
    {
      title: 'an input image that Ark cannot fetch',
      response: errorOf(400, 'InvalidImageURL.EmptyURL'),
      means: 'invalid_input',
    },
    ...[
      'InputTextSensitiveContentDetected',
      'InputImageSensitiveContentDetected.PolicyViolation',
      'InputImageSensitiveContentDetected.PrivacyInformation',
      'SensitiveContentDetected.SevereViolation',
      'InputTextRiskDetection',
      'InputImageRiskDetection',
    ].map((code) => ({ title: code, response: errorOf(400, code), means: 'content_policy' as const })),
    { title: 'an unavailable moderation', response: errorOf(400, 'ContentSecurityDetectionError'), means: 'throttled' },
    { title: 'a closed endpoint', response: errorOf(400, 'InvalidEndpoint.ClosedEndpoint'), means: 'route unavailable' },
    { title: 'a model that is not opened', response: errorOf(400, 'ModelNotOpen'), means: 'route unavailable' },
    { title: 'an unknown model', response: errorOf(404, 'InvalidEndpointOrModel.NotFound'), means: 'route unavailable' },
    { title: 'a wrong key', response: errorOf(401, 'AuthenticationError'), means: 'credential unavailable' },
    {
      title: 'an account with overdue payments',
      response: errorOf(403, 'AccountOverdueError'),
      means: 'credential unavailable',
    },
    { title: 'missing permissions', response: errorOf(403, 'AccessDenied'), means: 'route unavailable' },
    { title: 'too many requests', response: errorOf(429, 'RateLimitExceeded.EndpointRPMExceeded'), means: 'throttled' },
    {
      title: 'too many requests, with Retry-After',
      response: errorOf(429, 'ModelAccountRpmRateLimitExceeded', 'slow down', { 'retry-after': '60' }),
      means: { throttledForMs: 60_000 },
    },
    { title: 'an overload', response: errorOf(429, 'ServerOverloaded'), means: 'throttled' },
    { title: 'too many queued tasks', response: errorOf(429, 'QuotaExceeded', 'too many queued tasks'), means: 'throttled' },
    {
      title: 'the end of a trial',
      response: errorOf(429, 'QuotaExceeded', 'your free trial is used up'),
      means: 'route unavailable',
    },
    { title: 'a spending cap', response: errorOf(429, 'SetLimitExceeded'), means: 'route unavailable' },
    { title: 'an internal error of the provider', response: errorOf(500, 'InternalServiceError'), means: 'unknown' },
    { title: 'an error page of a proxy', response: { status: 502, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'success without an id', response: { status: 200, json: {} }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { id: '..' } }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'waiting', response: taskOf('queued'), means: { state: 'queued' } },
    { title: 'running', response: taskOf('running'), means: { state: 'running' } },
    {
      title: 'done',
      response: taskOf('succeeded', {
        content: { video_url: 'https://cdn.example.com/a.mp4' },
        usage: { completion_tokens: 108_900, total_tokens: 108_900 },
        seed: 17_918,
        error: null,
      }),
      means: {
        state: 'succeeded',
        cost: { amount: 108_900, unit: 'tokens' },
      },
    },
    {
      title: 'done with a seed above 2^53',
      response: taskOf('succeeded', { content: { video_url: 'https://cdn.example.com/a.mp4' }, seed: 1e300 }),
      means: { state: 'succeeded', outputs: [expect.not.objectContaining({ seed: 1e300 })] },
    },
    {
      title: 'done without a file',
      response: taskOf('succeeded', { content: {} }),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'failed',
      response: failedTask('InternalServiceError'),
      means: { state: 'failed', code: 'upstream_failed', detail: 'HTTP 200, InternalServiceError: it broke', retryable: false },
    },
    {
      title: 'failed without a reason',
      response: taskOf('failed', { error: null }),
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'a video that is refused',
      response: failedTask('OutputVideoSensitiveContentDetected'),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'a sound that is refused',
      response: failedTask('OutputAudioSensitiveContentDetected.PolicyViolation'),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'an input refused by the content policy',
      response: failedTask('InputImageSensitiveContentDetected'),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'an input that cannot be used',
      response: failedTask('InvalidParameter.TaskTypeConstraint'),
      means: { state: 'failed', code: 'invalid_input' },
    },
    { title: 'cancelled by another client', response: taskOf('cancelled'), means: { state: 'failed', code: 'upstream_failed' } },
    { title: 'expired', response: taskOf('expired'), means: { state: 'failed', code: 'upstream_timeout' } },
    { title: 'a missing task', response: errorOf(404, 'ResourceNotFound'), means: 'again' },
    { title: 'a wrong key', response: errorOf(401, 'AuthenticationError'), means: 'again' },
    { title: 'no task', response: { status: 200, json: {} }, means: 'again' },
  ],
  unknownStatus: taskOf('contemplating'),
  findsLostJobs: true,
  cancels: true,
})

const connect = () =>
  openUpstream(arkDriver, arkProtocol, { basePath: '/api/v3', credential: arkKey, model: 'dreamina-seedance-2-0-260128' })

describe('the Ark driver', () => {
  const { signal } = new AbortController()

  it('a lookup finds the job among those of other attempts, on a later page too', async () => {
    await using connected = await connect()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(request, startContext)
    for (let other = 0; other < 600; other++) {
      simulator.addJob({
        ...simulator.requests[0]!,
        json: { ...simulator.requests[0]!.json, safety_identifier: `other-${other}` },
      })
    }
    expect(await driver.find?.(request, signal)).toEqual(operation)
    expect(simulator.of('find')).toHaveLength(2)
    expect(await driver.find?.(requestOf({ prompt: 'another' }), signal)).toBeNull()
  })

  it('a lookup fails if a job without a tag may be the right one, if the list fails, or for an image', async () => {
    await using connected = await connect()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite' })
    simulator.next('submit', 'reset_after')
    await driver.start(request, startContext).catch(() => undefined)
    delete simulator.jobs[0]!.request.json.safety_identifier
    await expect(driver.find?.(request, signal)).rejects.toThrow('tag')
    simulator.next('find', { status: 500 })
    await expect(driver.find?.(request, signal)).rejects.toThrow('500')
    await expect(driver.find?.(requestOf({}, { object: 'image' }), signal)).rejects.toThrow('image')
  })

  it('polls of many tasks are batched, and a task is polled alone if the list is refused or omits the task', async () => {
    await using connected = await connect()
    const { driver, simulator } = connected
    const requests = Array.from({ length: 30 }, () => requestOf({ prompt: 'a kite' }))
    const operations = await Promise.all(requests.map((request) => driver.start(request, startContext)))
    const pollFirstTasks = async (taskCount = operations.length) => {
      const pollsBefore = simulator.of('poll').length
      const polls = operations.slice(0, taskCount).map((operation, index) => driver.poll(operation, requests[index]!, signal))
      const settled = await Promise.allSettled(polls)
      return { settled, requestCount: simulator.of('poll').length - pollsBefore }
    }
    expect((await pollFirstTasks()).requestCount).toBe(1)
    simulator.next('poll', { status: 400 })
    expect((await pollFirstTasks()).requestCount).toBe(31)
    const { settled } = await pollFirstTasks()
    expect(settled.every((outcome) => outcome.status === 'fulfilled' && outcome.value.state === 'succeeded')).toBe(true)
    simulator.next('poll', { status: 200, json: { items: [{ id: 'job-1', status: 'succeeded' }], total: 1 } })
    expect((await pollFirstTasks()).requestCount).toBe(31)
    simulator.jobs[1]!.id = 'gone'
    const pollAfterRemoval = await pollFirstTasks(3)
    expect(pollAfterRemoval.settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(pollAfterRemoval.requestCount).toBe(2)
    simulator.next('poll', { status: 429 })
    expect(await pollFirstTasks(2)).toMatchObject({ settled: [{ status: 'rejected' }, { status: 'rejected' }], requestCount: 1 })
  })

  it('a cancellation ends a queued task, and does not affect an ended one', async () => {
    await using connected = await connect()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(request, startContext)
    simulator.jobs[0]!.moves = ['succeeded']
    await driver.cancel?.(operation, request)
    expect(simulator.of('cancel')).toHaveLength(0)
    expect(await driver.poll(operation, request, signal)).toMatchObject({
      state: 'succeeded',
      outputs: [{ seed: 17_918 }],
      cost: { amount: 108_900, unit: 'tokens' },
    })
    const secondOperation = await driver.start(request, startContext)
    await driver.cancel?.(secondOperation, request)
    expect(await driver.poll(secondOperation, request, signal)).toMatchObject({ state: 'failed', code: 'upstream_failed' })
  })

  it('the cost of an image is the number of images that Ark has generated', async () => {
    await using connected = await connect()
    const { driver } = connected
    const request = requestOf({ prompt: 'a tin robot' }, { object: 'image' })
    const operation = await driver.start(request, startContext)
    expect(await driver.poll(operation, request, signal)).toMatchObject({
      state: 'succeeded',
      cost: { amount: 1, unit: 'images' },
    })
  })

  it('an image that Ark withholds after generation is reported as a content refusal', async () => {
    await using connected = await connect()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a tin robot' }, { object: 'image' })
    const refused = { code: 'OutputImageSensitiveContentDetected', message: 'no' }
    simulator.next('submit', { status: 200, json: { data: [{ error: refused }], usage: { generated_images: 0 } } })
    await expect(driver.start(request, startContext)).rejects.toMatchObject({ name: 'DriverRefusal', code: 'content_policy' })
  })

  it('a callback is not trusted, because Ark does not sign callbacks', async () => {
    await using connected = await connect()
    const callback = { method: 'POST', url: 'https://gate.example/callbacks', headers: {}, body: Buffer.from('{}') }
    expect(await connected.driver.verifyCallback?.(callback)).toEqual({ trust: 'unsigned' })
  })

  it('a probe of Ark creates no job and reports a wrong key', async () => {
    await using connected = await connect()
    const { simulator, target, tools } = connected
    await arkDriver.probe?.(target, tools, signal)
    await expect(arkDriver.probe?.({ ...target, credential: 'another' }, tools, signal)).rejects.toThrow('401')
    expect(simulator.jobs).toHaveLength(0)
  })
})
