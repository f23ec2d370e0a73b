import { createFalClient } from '@fal-ai/client'
import { describe, expect, it } from 'vitest'
import { createFalDriver, falDriver } from '../../src/drivers/fal/fal-driver.ts'
import type { ConnectedTarget } from '../../src/drivers/upstream/upstream-driver.ts'
import { connectDriver, dot, requestOf } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { falKey, falProtocol, signedWebhook } from './fal.protocol.ts'
import { Simulator, type SimulatedResponse } from './simulator.ts'
import { startContext } from '../start-context.ts'

const target = { model: 'fal-ai/kling-video/v3/standard/text-to-video' }
const endpointOf = (model: string, overrides: Partial<ConnectedTarget> = {}) => ({ target: { model, ...overrides } })
const imageRequest = (width: number, height: number) => ({ request: { object: 'image' as const, size: { width, height } } })

const refusedResponse = (status: number, type: string, loc = ['body', 'prompt']): SimulatedResponse => ({
  status,
  json: { detail: [{ loc, msg: 'said so', type }] },
})
const errorDetail = (status: number, detail: string, error_type?: string, headers = {}): SimulatedResponse => ({
  status,
  headers,
  json: { detail, ...(error_type !== undefined && { error_type }) },
})
const proxyErrorPage = { status: 502, bytes: Buffer.from('<html>') }
const statusOf = (word: string, fields = {}) => ({
  status: word === 'COMPLETED' ? 200 : 202,
  json: { request_id: 'job-1', status: word, ...fields },
})
const completedStatus = statusOf('COMPLETED')
const brokenStatus = (error_type: string) => statusOf('COMPLETED', { error: 'said so', error_type })

describeDriver({
  driver: falDriver,
  protocol: falProtocol,
  credential: falKey,
  target,
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', negative_prompt: 'fog', audio: false },
      expect: ({ url, headers, json }) => {
        expect(url.pathname).toBe('/fal-ai/kling-video/v3/standard/text-to-video')
        expect(url.searchParams.get('fal_webhook')).toMatch(/^https:\/\/gate\.example\/callbacks\/route\/task_\w+\/token$/)
        expect(headers['x-fal-object-lifecycle-preference']).toBe('{"expiration_duration_seconds":259200}')
        expect(json).toEqual({
          prompt: 'a kite over dunes',
          negative_prompt: 'fog',
          duration: '5',
          aspect_ratio: '16:9',
          generate_audio: false,
        })
      },
    },
    {
      title: 'a video from a first and a last frame, without a ratio',
      parameters: {
        prompt: 'day to night',
        first_frame: dot,
        last_frame: 'https://example.com/b.png',
        aspect_ratio: '3:2',
        audio: true,
      },
      ...endpointOf('fal-ai/kling-video/v3/standard/image-to-video'),
      expect: ({ json }) =>
        expect(json).toEqual({
          prompt: 'day to night',
          duration: '5',
          generate_audio: true,
          start_image_url: dot,
          end_image_url: 'https://example.com/b.png',
        }),
    },
    {
      title: 'a video from reference images',
      parameters: { prompt: 'both', reference_images: ['https://example.com/a.png', dot], resolution: '1080p' },
      ...endpointOf('fal-ai/kling-video/o3/pro/reference-to-video'),
      expect: ({ json }) =>
        expect(json).toEqual({
          prompt: 'both',
          duration: '5',
          aspect_ratio: '16:9',
          generate_audio: false,
          image_urls: ['https://example.com/a.png', dot],
        }),
    },
    {
      title: 'a length with its unit, and no rewriting of the prompt',
      parameters: { prompt: 'a kite', seconds: 8, seed: 3 },
      ...endpointOf('fal-ai/veo3.1/fast'),
      expect: ({ json }) =>
        expect(json).toEqual({
          prompt: 'a kite',
          duration: '8s',
          resolution: '720p',
          aspect_ratio: '16:9',
          generate_audio: false,
          seed: 3,
          auto_fix: false,
        }),
    },
    {
      title: 'a length as a number',
      parameters: { prompt: 'a kite', seconds: 16, resolution: '540p' },
      ...endpointOf('fal-ai/vidu/q3/text-to-video'),
      expect: ({ json }) =>
        expect(json).toEqual({ prompt: 'a kite', duration: 16, resolution: '540p', aspect_ratio: '16:9', audio: false }),
    },
    {
      title: 'an endpoint without fields for length and size',
      parameters: { prompt: 'a kite', first_frame: dot, seconds: 6, resolution: '1080p' },
      ...endpointOf('fal-ai/minimax/hailuo-2.3/pro/image-to-video', { extra: { prompt_optimizer: true } }),
      expect: ({ json }) => expect(json).toEqual({ prompt: 'a kite', image_url: dot, prompt_optimizer: true }),
    },
    {
      title: 'a video of an unknown endpoint',
      parameters: { prompt: 'a kite', seed: 3, audio: true, negative_prompt: 'fog' },
      ...endpointOf('somebody/new-model/v9', {
        parameters: { seed: 'options.seed', audio: 'with_sound', negative_prompt: 'avoid' },
        extra: { options: { steps: 8 } },
      }),
      expect: ({ json }) =>
        expect(json).toEqual({
          prompt: 'a kite',
          aspect_ratio: '16:9',
          resolution: '720p',
          duration: '5',
          with_sound: true,
          avoid: 'fog',
          options: { seed: 3, steps: 8 },
        }),
    },
    {
      title: 'an image from a prompt',
      parameters: { prompt: 'a tin robot', aspect_ratio: '3:2', resolution: '2K', seed: 9 },
      ...imageRequest(2496, 1664),
      ...endpointOf('fal-ai/bytedance/seedream/v4.5/text-to-image'),
      expect: ({ json }) => expect(json).toEqual({ prompt: 'a tin robot', image_size: { width: 2496, height: 1664 }, seed: 9 }),
    },
    {
      title: 'an image from reference images',
      parameters: { prompt: 'both of them', reference_images: [dot, dot], resolution: '2K' },
      ...imageRequest(2048, 2048),
      ...endpointOf('fal-ai/nano-banana-pro/edit'),
      expect: ({ json }) =>
        expect(json).toEqual({ prompt: 'both of them', aspect_ratio: '1:1', resolution: '2K', image_urls: [dot, dot] }),
    },
    {
      title: 'an image with renamed fields for its size',
      parameters: { prompt: 'a tin robot' },
      ...imageRequest(1024, 1024),
      ...endpointOf('somebody/pictures', { parameters: { aspect_ratio: 'ratio', resolution: 'quality' } }),
      expect: ({ json }) => expect(json).toEqual({ prompt: 'a tin robot', ratio: '1:1', quality: '1K' }),
    },
  ],
  refusedRequests: [
    { title: 'an image where only a prompt is accepted', parameters: { first_frame: dot }, parameter: 'first_frame' },
    {
      title: 'no image where one is required',
      parameters: { prompt: 'a kite' },
      ...endpointOf('fal-ai/kling-video/v3/standard/image-to-video'),
      parameter: 'first_frame',
    },
    {
      title: 'one frame where two are required',
      parameters: { first_frame: dot },
      ...endpointOf('fal-ai/veo3.1/first-last-frame-to-video'),
      parameter: 'last_frame',
    },
    {
      title: 'no image for an endpoint that edits images',
      parameters: { prompt: 'a kite' },
      object: 'image',
      ...endpointOf('fal-ai/flux-2-pro/edit'),
      parameter: 'reference_images',
    },
    { title: 'seconds that the model cannot make', parameters: { seconds: 16 }, parameter: 'seconds' },
    {
      title: 'a length between two supported lengths',
      parameters: { seconds: 5 },
      ...endpointOf('fal-ai/veo3.1'),
      parameter: 'seconds',
    },
    { title: 'a ratio that the model does not offer', parameters: { aspect_ratio: '4:3' }, parameter: 'aspect_ratio' },
    { title: 'a resolution that only the pro endpoint supports', parameters: { resolution: '1080p' }, parameter: 'resolution' },
    {
      title: 'an image at 1K from a model that draws only larger images',
      parameters: {},
      object: 'image',
      ...endpointOf('fal-ai/flux-pro/v1.1-ultra'),
      parameter: 'resolution',
    },
    { title: 'a seed', parameters: { seed: 1 }, parameter: 'seed' },
    { title: 'a watermark', parameters: { watermark: true }, parameter: 'watermark' },
    {
      title: 'sound from an unknown endpoint',
      parameters: { audio: true },
      ...endpointOf('somebody/new-model'),
      parameter: 'audio',
    },
  ],
  submitErrors: [
    { title: 'a wrong key', response: errorDetail(401, 'Cannot access application'), means: 'credential unavailable' },
    {
      title: 'no credits',
      response: errorDetail(403, 'User is locked. Reason: Exhausted balance.'),
      means: 'credential unavailable',
    },
    { title: 'an unknown endpoint', response: errorDetail(404, 'Application not found'), means: 'route unavailable' },
    { title: 'a bad field', response: refusedResponse(422, 'missing'), means: 'invalid_input' },
    { title: 'a refusal of the content', response: refusedResponse(422, 'content_policy_violation'), means: 'content_policy' },
    { title: 'a full queue', response: errorDetail(429, 'queue is full'), means: 'throttled' },
    {
      title: 'a full queue, with Retry-After',
      response: errorDetail(429, 'full', undefined, { 'retry-after': '7' }),
      means: { throttledForMs: 7000 },
    },
    { title: 'an internal error of the provider', response: errorDetail(500, 'it broke', 'internal_error'), means: 'unknown' },
    { title: 'an error page of a proxy', response: proxyErrorPage, means: 'unknown' },
    { title: 'no free runner', response: errorDetail(503, 'no runner', 'runner_scheduling_failure'), means: 'unknown' },
    { title: 'a timeout', response: errorDetail(504, 'too late', 'request_timeout'), means: 'unknown' },
    { title: 'success without an id', response: { status: 200, json: {} }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { request_id: '.' } }, means: 'unknown' },
    {
      title: 'an HTML page with status 200',
      response: { status: 200, bytes: Buffer.from('<html>') },
      means: 'unknown',
    },
  ],
  pollResponses: [
    { title: 'waiting', response: statusOf('IN_QUEUE', { queue_position: 2 }), means: { state: 'queued' } },
    { title: 'running', response: statusOf('IN_PROGRESS', { logs: [] }), means: { state: 'running' } },
    {
      title: 'done',
      response: [
        completedStatus,
        {
          status: 200,
          headers: { 'x-fal-billable-units': '2.5' },
          json: { video: { url: 'https://v3.fal.media/a.webm', content_type: 'video/webm' }, seed: 7 },
        },
      ],
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/webm', location: { url: 'https://v3.fal.media/a.webm' }, seed: 7 }],
        cost: { amount: 2.5, unit: 'units' },
      },
    },
    {
      title: 'done, with a list of images',
      response: [completedStatus, { status: 200, json: { images: [{ url: 'https://v3.fal.media/a.png' }] } }],
      means: { state: 'succeeded', outputs: [{ contentType: 'image/png', location: { url: 'https://v3.fal.media/a.png' } }] },
    },
    {
      title: 'done, with a list of images and null as the single one',
      response: [completedStatus, { status: 200, json: { image: null, images: [{ url: 'https://v3.fal.media/a.png' }] } }],
      means: { state: 'succeeded', outputs: [{ contentType: 'image/png', location: { url: 'https://v3.fal.media/a.png' } }] },
    },
    {
      title: 'done, with a flagged image',
      response: [
        completedStatus,
        { status: 200, json: { images: [{ url: 'https://a.example/a.png' }], has_nsfw_concepts: [true] } },
      ],
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'done without a file',
      response: [completedStatus, { status: 200, json: { video: null } }],
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'refused by the content policy',
      response: [completedStatus, refusedResponse(422, 'content_policy_violation')],
      means: {
        state: 'failed',
        code: 'content_policy',
        detail: 'HTTP 422, content_policy_violation: body.prompt: said so',
        retryable: false,
      },
    },
    {
      title: 'an image that could not be fetched',
      response: [completedStatus, refusedResponse(422, 'file_download_error', ['body', 'image_url'])],
      means: { state: 'failed', code: 'invalid_input' },
    },
    {
      title: 'a value that is too large',
      response: [completedStatus, refusedResponse(422, 'less_than_equal')],
      means: { state: 'failed', code: 'invalid_input' },
    },
    {
      title: 'nothing generated',
      response: [completedStatus, refusedResponse(422, 'no_media_generated')],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'an error of a partner',
      response: [completedStatus, refusedResponse(400, 'downstream_service_error')],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'an unavailable partner',
      response: [completedStatus, refusedResponse(500, 'downstream_service_unavailable')],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'an error of the model',
      response: [completedStatus, errorDetail(500, 'oops', 'internal_server_error')],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'a model that took too long',
      response: [completedStatus, refusedResponse(504, 'generation_timeout')],
      means: { state: 'failed', code: 'upstream_timeout' },
    },
    {
      title: 'an endpoint that is gone',
      response: [completedStatus, errorDetail(404, 'Path not found')],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'a runner that was lost',
      response: [brokenStatus('runner_disconnected'), proxyErrorPage],
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'a start that took too long',
      response: [brokenStatus('startup_timeout'), proxyErrorPage],
      means: { state: 'failed', code: 'upstream_timeout' },
    },
    {
      title: 'a cancelled request',
      response: [brokenStatus('client_cancelled'), proxyErrorPage],
      means: { state: 'failed', code: 'cancelled' },
    },
    {
      title: 'a result that is not ready',
      response: [completedStatus, errorDetail(400, 'Request is still in progress')],
      means: 'again',
    },
    { title: 'a result request that ends with an error page', response: [completedStatus, proxyErrorPage], means: 'again' },
    {
      title: 'a result that is an HTML page',
      response: [completedStatus, { status: 200, bytes: Buffer.from('<html>') }],
      means: 'again',
    },
    {
      title: 'a result request with a key that is no longer valid',
      response: [completedStatus, errorDetail(401, 'Cannot access')],
      means: 'again',
    },
    { title: 'an unknown id', response: { status: 404, json: { status: 'NOT_FOUND' } }, means: 'again' },
    { title: 'a wrong key', response: errorDetail(401, 'Cannot access application'), means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: statusOf('FAILED'),
  findsLostJobs: false,
  cancels: true,
})

describe('the fal queue', () => {
  const { signal } = new AbortController()

  it('an operation has paths of its application if the response lacks URLs or has one of another host', async () => {
    await using simulator = await Simulator.open(falProtocol)
    await using connected = connectDriver(falDriver, { baseUrl: simulator.origin, credential: falKey, ...target })
    const { driver } = connected
    const request = requestOf({ prompt: 'a kite' })
    simulator.next('submit', { status: 200, json: { request_id: 'a b', status_url: 'https://elsewhere.example/status' } })
    const path = '/fal-ai/kling-video/requests/a%20b'
    expect(await driver.start(request, startContext)).toEqual({
      id: 'a b',
      status: `${path}/status`,
      result: path,
      cancel: `${path}/cancel`,
    })
  })

  it('a poll reports the end of a cancelled request', async () => {
    await using simulator = await Simulator.open(falProtocol)
    await using connected = connectDriver(falDriver, { baseUrl: simulator.origin, credential: falKey, ...target })
    const { driver } = connected
    const request = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(request, startContext)
    await driver.cancel?.(operation, request)
    expect(await driver.poll(operation, request, signal)).toMatchObject({ state: 'failed', code: 'cancelled' })
  })

  it('a probe of fal creates no job and reports a wrong key', async () => {
    await using simulator = await Simulator.open(falProtocol)
    await using connected = connectDriver(falDriver, { baseUrl: simulator.origin, credential: falKey, ...target })
    await falDriver.probe?.(connected.target, connected.tools, signal)
    await expect(falDriver.probe?.({ ...connected.target, credential: 'wrong' }, connected.tools, signal)).rejects.toThrow(
      'HTTP 401',
    )
    expect(simulator.jobs).toHaveLength(0)
  })

  it('findRouteViolations reports an invalid endpoint and a forbidden extra field of a fal route', () => {
    const route = { baseUrl: '', model: target.model, parameters: {}, extra: {}, workflow: null, slots: {} }
    expect(falDriver.findRouteViolations?.(route)).toEqual([])
    expect(falDriver.findRouteViolations?.({ ...route, model: 'kling?', extra: { sync_mode: true } })).toEqual([
      'upstream_model must be an endpoint such as owner/application/text-to-video',
      'extra.sync_mode must be omitted, because results are fetched by their address',
    ])
  })
})

describe('fal webhooks', () => {
  const sentAt = 1_763_708_400
  const body = '{"request_id":"r1","status":"OK","payload":{}}'
  const genuine = signedWebhook(body, sentAt)
  const withHeaders = (headers: Record<string, string>) => ({ ...genuine, headers: { ...genuine.headers, ...headers } })

  async function openVerifier(initialMs = sentAt * 1000) {
    let nowMs = initialMs
    const simulator = await Simulator.open(falProtocol)
    const driver = createFalDriver({ keysUrl: `${simulator.origin}/.well-known/jwks.json` })
    const connected = connectDriver(driver, { baseUrl: simulator.origin, credential: falKey })
    const reader = driver.connect(connected.target, { ...connected.tools, clock: () => nowMs })
    return {
      simulator,
      read: (callback: typeof genuine) => reader.verifyCallback?.(callback),
      setClock: (ms: number) => void (nowMs = ms),
      async [Symbol.asyncDispose]() {
        await connected[Symbol.asyncDispose]()
        await simulator[Symbol.asyncDispose]()
      },
    }
  }

  it('a simulated webhook has the expected signature', () => {
    expect(genuine.headers['x-fal-webhook-signature']).toMatch(
      /^d36926418c4d3927b7994b7f1e613327c7eacf89e967a4cd1417586.*4cb309$/,
    )
  })

  it('a webhook that is signed with the published keys is accepted, and the keys are read once', async () => {
    await using reader = await openVerifier()
    expect(await reader.read(genuine)).toEqual({ trust: 'signed' })
    expect(await reader.read(genuine)).toEqual({ trust: 'signed' })
    expect(reader.simulator.of('probe')).toHaveLength(1)
    expect(reader.simulator.of('probe')[0]?.headers['authorization']).toBeUndefined()
  })

  it.each([
    ['another body', { ...genuine, body: Buffer.from(body.replace('OK', 'ERROR')) }],
    ['another request', withHeaders({ 'x-fal-webhook-request-id': 'r2' })],
    ['another time', withHeaders({ 'x-fal-webhook-timestamp': String(sentAt + 1) })],
    ['another signature', withHeaders({ 'x-fal-webhook-signature': 'ab'.repeat(64) })],
    ['half a signature', withHeaders({ 'x-fal-webhook-signature': 'ab'.repeat(32) })],
    ['no signature', { ...genuine, headers: {} as typeof genuine.headers }],
  ])('a webhook with %s counts as forged', async (_what, callback) => {
    await using reader = await openVerifier()
    expect(await reader.read(callback)).toEqual({ trust: 'forged' })
  })

  it.each([-301, 301])('a webhook whose timestamp is off by %i seconds counts as forged', async (seconds) => {
    await using reader = await openVerifier((sentAt + seconds) * 1000)
    expect(await reader.read(genuine)).toEqual({ trust: 'forged' })
  })

  it('the published keys are read again after the clock was set back by more than their maximum age', async () => {
    await using reader = await openVerifier()
    await reader.read(genuine)
    const earlierAt = sentAt - 25 * 3_600
    reader.setClock(earlierAt * 1000)
    expect(await reader.read(signedWebhook(body, earlierAt))).toEqual({ trust: 'signed' })
    expect(reader.simulator.of('probe')).toHaveLength(2)
  })

  it('the verification of a webhook throws while the keys are unavailable', async () => {
    await using reader = await openVerifier()
    reader.simulator.next('probe', { status: 503 })
    await expect(reader.read(genuine)).rejects.toThrow()
    expect(await reader.read(genuine)).toEqual({ trust: 'signed' })
  })
})

describe("fal's own client", () => {
  it("fal's own client gets a video and the URL of an image from the simulator", async () => {
    await using simulator = await Simulator.open(falProtocol)
    const client = createFalClient({
      credentials: falKey,
      requestMiddleware: async (requested) => ({
        ...requested,
        url: requested.url.replace('https://queue.fal.run', simulator.origin),
      }),
    })
    const { data } = await client.subscribe('fal-ai/kling-video/v3/pro/text-to-video', {
      input: { prompt: 'a kite over dunes', duration: '5' },
      pollInterval: 10,
    })
    expect(Buffer.from(await (await fetch(data.video.url)).arrayBuffer())).toEqual(simulator.media)
    const { request_id } = await client.queue.submit('fal-ai/flux-2-pro', { input: { prompt: 'a tin robot' } })
    await client.queue.subscribeToStatus('fal-ai/flux-2-pro', { requestId: request_id, pollInterval: 10 })
    const image = await client.queue.result('fal-ai/flux-2-pro', { requestId: request_id })
    expect(image.data.images[0]?.url).toBe(`${simulator.origin}/files/job-2`)
  })

  it("fal's own client gets the error of an invalid input", async () => {
    await using simulator = await Simulator.open(falProtocol)
    const client = createFalClient({
      credentials: falKey,
      requestMiddleware: async (requested) => ({
        ...requested,
        url: requested.url.replace('https://queue.fal.run', simulator.origin),
      }),
    })
    const input = { prompt: 'a kite', duration: 5 as unknown as '5' }
    await expect(client.subscribe('fal-ai/kling-video/v3/pro/text-to-video', { input, pollInterval: 10 })).rejects.toMatchObject({
      status: 422,
    })
  })
})
