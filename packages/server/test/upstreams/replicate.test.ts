import { randomBytes } from 'node:crypto'
import Replicate from 'replicate'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { replicateDriver } from '../../src/drivers/replicate/replicate-driver.ts'
import type { ConnectedTarget } from '../../src/drivers/upstream/upstream-driver.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { replicateKey, replicateProtocol, replicateSecret } from './replicate.protocol.ts'
import { Simulator } from './simulator.ts'
import { startContext } from '../start-context.ts'

const responseOf = (status: number, title: string, detail = 'said so', fields = {}) => ({
  status,
  json: { title, detail, status, ...fields },
})
const predictionOf = (status: string, fields = {}) => ({
  status: 200,
  json: { id: 'job-1', status, output: null, logs: '', ...fields },
})
const targetOf = (model: string) => ({ target: { model } })
const version = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
const { signal } = new AbortController()

describeDriver({
  driver: replicateDriver,
  protocol: replicateProtocol,
  basePath: '/v1',
  credential: replicateKey,
  target: { model: 'bytedance/seedance-1-pro' },
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a paper boat in the rain', seed: 3 },
      expect: ({ url, headers, json }) => {
        expect(url.pathname).toBe('/v1/models/bytedance/seedance-1-pro/predictions')
        expect(headers['cancel-after']).toBe('2h')
        expect(json.input).toEqual({
          prompt: 'a paper boat in the rain',
          aspect_ratio: '16:9',
          resolution: '720p',
          duration: 5,
          seed: 3,
        })
        expect(json.webhook).toMatch(/^https:\/\/gate\.example\/callbacks\/route\/task_\w+\/token$/)
        expect(json.webhook_events_filter).toEqual(['completed'])
      },
    },
    {
      title: 'a video between two images',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: 'https://example.com/last.png' },
      expect: ({ json }) => expect(json.input).toMatchObject({ image: dot, last_frame_image: 'https://example.com/last.png' }),
    },
    {
      title: 'a silent video of a model that makes sound by default',
      parameters: { prompt: 'it moves', reference_images: [dot], audio: false },
      ...targetOf('bytedance/seedance-2.0'),
      expect: ({ json }) => expect(json.input).toMatchObject({ generate_audio: false, reference_images: [dot] }),
    },
    {
      title: 'a video of a model with its own names for resolutions',
      parameters: { prompt: 'it moves', resolution: '1080p', negative_prompt: 'fog', audio: true },
      ...targetOf('kwaivgi/kling-v3-video'),
      expect: ({ json }) =>
        expect(json.input).toEqual({
          prompt: 'it moves',
          aspect_ratio: '16:9',
          mode: 'pro',
          duration: 5,
          generate_audio: true,
          negative_prompt: 'fog',
        }),
    },
    {
      title: 'a video of a model that would rewrite the prompt',
      parameters: { prompt: 'it moves', seconds: 6, resolution: '768p', first_frame: dot, aspect_ratio: '1:1' },
      ...targetOf('minimax/hailuo-2.3'),
      expect: ({ json }) =>
        expect(json.input).toEqual({
          prompt: 'it moves',
          first_frame_image: dot,
          resolution: '768p',
          duration: 6,
          prompt_optimizer: false,
        }),
    },
    {
      title: "a model's own parameter with a default of the driver",
      parameters: { prompt: 'it moves', seconds: 6, resolution: '768p', prompt_optimizer: true },
      ...targetOf('minimax/hailuo-2.3'),
      expect: ({ json }) => expect(json.input).toMatchObject({ prompt_optimizer: true }),
    },
    {
      title: 'a video of a version of an unlisted model',
      parameters: { prompt: 'it moves', reference_images: [dot] },
      target: {
        model: `somebody/video:${version}`,
        parameters: { seconds: 'seconds', aspect_ratio: 'ratio', resolution: 'quality', reference_images: 'images' },
        extra: { fps: 12 },
      },
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/v1/predictions')
        expect(json.version).toBe(`somebody/video:${version}`)
        const input = { prompt: 'it moves', seconds: 5, ratio: '16:9', quality: '720p', images: [dot], fps: 12 }
        expect(json.input).toEqual(input)
      },
    },
    {
      title: 'a video of a deployment',
      parameters: { prompt: 'it moves' },
      ...targetOf('deployments/us/films'),
      expect: ({ url }) => expect(url.pathname).toBe('/v1/deployments/us/films/predictions'),
    },
    {
      title: 'an image',
      parameters: { prompt: 'a tin robot', reference_images: [dot], resolution: '2K' },
      request: { object: 'image', size: { width: 2048, height: 2048 } },
      ...targetOf('black-forest-labs/flux-2-pro'),
      expect: ({ json }) =>
        expect(json.input).toEqual({
          prompt: 'a tin robot',
          aspect_ratio: '1:1',
          resolution: '4 MP',
          input_images: [dot],
          output_format: 'png',
        }),
    },
  ],
  refusedRequests: [
    { title: 'a watermark', parameters: { watermark: true }, parameter: 'watermark' },
    { title: 'sound from a silent model', parameters: { audio: true }, parameter: 'audio' },
    {
      title: 'a negative prompt for a model that accepts none',
      parameters: { negative_prompt: 'fog' },
      parameter: 'negative_prompt',
    },
    { title: 'a length that the model does not support', parameters: { seconds: 15 }, parameter: 'seconds' },
    {
      title: 'a length between two supported lengths',
      parameters: { seconds: 7, resolution: '768p' },
      ...targetOf('minimax/hailuo-2.3'),
      parameter: 'seconds',
    },
    {
      title: 'a size that the model does not support',
      parameters: { seconds: 6 },
      ...targetOf('minimax/hailuo-2.3'),
      parameter: 'resolution',
    },
    {
      title: 'a ratio that the model does not support',
      parameters: { seconds: 6, resolution: '768p', aspect_ratio: '9:16' },
      ...targetOf('minimax/hailuo-2.3'),
      parameter: 'aspect_ratio',
    },
    {
      title: 'too many references',
      parameters: { reference_images: Array.from({ length: 10 }, () => dot) },
      ...targetOf('bytedance/seedance-2.0'),
      parameter: 'reference_images',
    },
    {
      title: 'a prompt alone where an image is required',
      parameters: {},
      ...targetOf('wan-video/wan-2.7-i2v'),
      parameter: 'first_frame',
    },
    {
      title: 'a first frame for an unlisted model',
      parameters: { first_frame: dot },
      ...targetOf('a/b'),
      parameter: 'first_frame',
    },
  ],
  submitErrors: [
    { title: 'no JSON', response: responseOf(400, 'Bad request'), means: 'invalid_input' },
    { title: 'a wrong token', response: responseOf(401, 'Unauthenticated'), means: 'credential unavailable' },
    { title: 'an empty balance', response: responseOf(402, 'Insufficient credit'), means: 'credential unavailable' },
    { title: 'a model without permission', response: responseOf(403, 'Forbidden'), means: 'route unavailable' },
    { title: 'an unknown model', response: responseOf(404, 'Not found'), means: 'route unavailable' },
    { title: 'an input that does not fit', response: responseOf(422, 'Input validation failed'), means: 'invalid_input' },
    { title: 'an unknown version', response: responseOf(422, 'Invalid version or not permitted'), means: 'route unavailable' },
    { title: 'too many requests', response: responseOf(429, ''), means: 'throttled' },
    {
      title: 'too many requests, with a wait in the message',
      response: responseOf(429, '', 'Request was throttled. Your rate limit resets in ~30s.'),
      means: { throttledForMs: 30_000 },
    },
    {
      title: 'too many requests, with a wait in the body',
      response: responseOf(429, '', 'x', { retry_after: 12 }),
      means: { throttledForMs: 12_000 },
    },
    {
      title: 'too many requests, with Retry-After',
      response: { ...responseOf(429, ''), headers: { 'retry-after': '7' } },
      means: { throttledForMs: 7000 },
    },
    { title: 'an internal error of the provider', response: responseOf(500, 'Internal server error'), means: 'unknown' },
    { title: 'an error page of a proxy', response: { status: 502, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'no free slot', response: responseOf(503, 'Unavailable'), means: 'unknown' },
    { title: 'a timeout', response: responseOf(504, ''), means: 'unknown' },
    { title: 'success without an id', response: { status: 201, json: {} }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 201, json: { id: '..' } }, means: 'unknown' },
    { title: 'an HTML page with status 200', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'waiting', response: predictionOf('starting'), means: { state: 'queued' } },
    {
      title: 'running, with a progress',
      response: predictionOf('processing', { logs: ' 10%|#  | 1/10\n 40%|####  | 4/10' }),
      means: { state: 'running', progress: 40 },
    },
    {
      title: 'processing, with a first output',
      response: predictionOf('processing', { output: 'https://x/y' }),
      means: { state: 'running' },
    },
    {
      title: 'done, with one address',
      response: predictionOf('succeeded', { output: 'https://replicate.delivery/a.mp4', metrics: { predict_time: 41.2 } }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url: 'https://replicate.delivery/a.mp4' } }],
        cost: { amount: 41.2, unit: 'seconds' },
      },
    },
    {
      title: 'done, with a list',
      response: predictionOf('succeeded', { output: ['https://replicate.delivery/a.mp4', 'https://replicate.delivery/b.mp4'] }),
      means: {
        state: 'succeeded',
        outputs: [
          { contentType: 'video/mp4', location: { url: 'https://replicate.delivery/a.mp4' } },
          { contentType: 'video/mp4', location: { url: 'https://replicate.delivery/b.mp4' } },
        ],
      },
    },
    {
      title: 'done, with an object',
      response: predictionOf('succeeded', { output: { video: 'https://replicate.delivery/a.mp4', seed: 3 } }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url: 'https://replicate.delivery/a.mp4' } }],
      },
    },
    {
      title: 'done, with the output removed',
      response: predictionOf('succeeded', { data_removed: true }),
      means: { state: 'failed', code: 'upstream_failed', detail: 'the output was removed before it was collected' },
    },
    {
      title: 'refused by the content policy',
      response: predictionOf('failed', { error: 'The input or output was flagged as sensitive. (E005)' }),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'refused by a partner',
      response: predictionOf('failed', { error: 'OutputVideoSensitiveContentDetected' }),
      means: { code: 'content_policy' },
    },
    {
      title: 'refused for nudity',
      response: predictionOf('failed', { error: 'NSFW content detected' }),
      means: { code: 'content_policy' },
    },
    {
      title: 'out of memory',
      response: predictionOf('failed', { error: 'CUDA out of memory (E1001)' }),
      means: { code: 'invalid_input' },
    },
    {
      title: 'failed',
      response: predictionOf('failed', { error: 'Prediction interrupted; please retry (code: PA)' }),
      means: { state: 'failed', code: 'upstream_failed', detail: 'Prediction interrupted; please retry (code: PA)' },
    },
    { title: 'cancelled', response: predictionOf('canceled'), means: { state: 'failed', code: 'cancelled' } },
    {
      title: 'cancelled by its deadline',
      response: predictionOf('canceled', { deadline: '2026-11-21T07:15:00Z', completed_at: '2026-11-21T07:15:00.2Z' }),
      means: { state: 'failed', code: 'upstream_timeout' },
    },
    {
      title: 'abandoned before the start',
      response: predictionOf('aborted'),
      means: { state: 'failed', code: 'upstream_timeout' },
    },
    { title: 'the misspelled status of the documentation', response: predictionOf('successful'), means: { state: 'running' } },
    { title: 'not found', response: responseOf(404, 'Not found'), means: 'again' },
    { title: 'a wrong token', response: responseOf(401, 'Unauthenticated'), means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: predictionOf('contemplating'),
  findsLostJobs: true,
  cancels: true,
})

function openReplicate(target: Partial<ConnectedTarget> = {}) {
  const model = 'bytedance/seedance-1-pro'
  return openUpstream(replicateDriver, replicateProtocol, { basePath: '/v1', credential: replicateKey, model, ...target })
}

describe('replicate: inputs of a model', () => {
  it('an extra field that the model does not declare is refused before the submit', async () => {
    await using connected = await openReplicate({ model: 'black-forest-labs/flux-2-pro' })
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a tin robot' }, { object: 'image' })
    await driver.start(request, startContext)
    await driver.start(request, startContext)
    expect(simulator.of('probe')).toHaveLength(1)
    const otherDriver = replicateDriver.connect({ ...connected.target, extra: { steps: 4 } }, connected.tools)
    await expect(otherDriver.start(request, startContext)).rejects.toMatchObject({
      name: 'NotAccepted',
      reason: 'unavailable',
      message: expect.stringContaining('"steps"'),
    })
    expect(simulator.of('submit')).toHaveLength(2)
  })

  it('a submit is sent if the inputs of the model cannot be read', async () => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    simulator.next('probe', { status: 500 })
    simulator.next('probe', 'reset_before')
    for (const prompt of ['one', 'two']) await driver.start(requestOf({ prompt }), startContext)
    expect(simulator.of('submit')).toHaveLength(2)
  })

  it('an image that is too large for the request is uploaded, and nothing is submitted if the upload fails', async () => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    const noise = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    const image = `data:image/png;base64,${noise.toString('base64')}`
    await driver.start(requestOf({ prompt: 'it moves', first_frame: image }), startContext)
    expect(simulator.of('submit')[0]?.json.input.image).toBe(`${simulator.origin}/v1/files/file-1`)
    simulator.next('upload', { status: 500 })
    await expect(driver.start(requestOf({ prompt: 'it moves', first_frame: image }), startContext)).rejects.toMatchObject({
      name: 'NotAccepted',
    })
    simulator.next('upload', 'reset_after')
    await expect(driver.start(requestOf({ prompt: 'it moves', first_frame: image }), startContext)).rejects.toMatchObject({
      name: 'NotAccepted',
    })
    expect(simulator.of('submit')).toHaveLength(1)
  })

  it('an output in a data URI can be fetched', async () => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'it moves' })
    const operation = await driver.start(request, startContext)
    simulator.next('poll', predictionOf('succeeded', { output: 'data:video/mp4;base64,dmlkZW8=' }))
    const outcome = await driver.poll(operation, request, signal)
    if (outcome.state !== 'succeeded') throw new Error('the job did not succeed')
    const chunks = await (await driver.fetchOutput(outcome.outputs[0], signal)).toArray()
    expect(Buffer.concat(chunks).toString()).toBe('video')
  })

  it.each(['seedance', 'a/b/c', 'somebody/video:latest', ''])('the model name %o is rejected', async (model) => {
    await using connected = await openReplicate({ model })
    expect(replicateDriver.findRouteViolations?.(connected.target)).toEqual([expect.stringMatching(/^upstream_model must be/)])
  })
})

const pageOf = (next: string) => ({ status: 200, json: { next, previous: null, results: [] } })

const listOf = (...results: object[]) => ({ status: 200, json: { next: null, previous: null, results } })

describe('replicate: submits without a response', () => {
  it('a submit without a response is not matched with the job of another submit', async () => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'the same words' })
    const webhook = 'https://gate.example/callbacks/route/another/token'
    simulator.next(
      'find',
      listOf({ id: 'job-7', webhook, input: { prompt: 'the same words' } }, { id: 'job-8', input: { prompt: 'other words' } }),
    )
    expect(await driver.find?.(request, signal)).toBeNull()
  })

  it.each([
    ['names no webhook', { id: 'job-7', input: { prompt: 'the same words' } }],
    ['was removed', { id: 'job-7', input: {}, data_removed: true }],
  ])('a submit without a response stays unresolved if a possible match %s', async (_why, row) => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    simulator.next('find', listOf(row))
    await expect(driver.find?.(requestOf({ prompt: 'the same words' }), signal)).rejects.toThrow()
  })

  it("the lookup after a submit without a response reads every page, and only from the upstream's host", async () => {
    await using connected = await openReplicate()
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'the same words' })
    const webhook = `https://gate.example/callbacks/route/${request.attemptId}/token`
    simulator.next('find', pageOf(`${simulator.origin}/v1/predictions?cursor=2`))
    simulator.next('find', listOf({ id: 'job-7', webhook }))
    expect(await driver.find?.(request, signal)).toEqual({ id: 'job-7' })
    simulator.next('find', pageOf('http://127.0.0.1:9/v1/predictions?cursor=2'))
    await expect(driver.find?.(request, signal)).rejects.toThrow('another host')
    simulator.next('find', { status: 500 })
    await expect(driver.find?.(request, signal)).rejects.toThrow('500')
  })
})

/** Opens a driver whose clock the test controls. */
async function openVerifier(nowSeconds = 1_763_708_400) {
  const connected = await openReplicate()
  let clockMs = nowSeconds * 1000
  const driver = replicateDriver.connect(connected.target, { ...connected.tools, clock: () => clockMs })
  return { ...connected, driver, wait: (ms: number) => (clockMs += ms) }
}

describe('replicate: callbacks', () => {
  // The example in the provider's documentation of signatures.
  const body = Buffer.from('{"type":"video.completed","data":{"id":"job_1"}}')
  const headers = {
    'webhook-id': 'msg_0001',
    'webhook-timestamp': '1763708400',
    'webhook-signature': 'v1,sNiLkIHgIcHDxTAp7J7BmgGw4y1M/8q4D0ybmuEh7wI=',
  }
  const callbackWith = (changed: Record<string, string> = {}, changedBody = body) => ({
    method: 'POST',
    url: 'https://gate.example/callbacks/route/a/token',
    headers: { ...headers, ...changed },
    body: changedBody,
  })

  it('a callback that is signed with the secret of the account is accepted, and the secret is read once', async () => {
    await using connected = await openVerifier()
    const { driver, simulator } = connected
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'signed' })
    expect(
      await driver.verifyCallback?.(callbackWith({ 'webhook-signature': `v1a,xyz v1,AAAA ${headers['webhook-signature']}` })),
    ).toEqual({
      trust: 'signed',
    })
    expect(simulator.of('probe')).toHaveLength(1)
  })

  it.each([
    ['no signature', { 'webhook-signature': '' }],
    ['the signature of the text behind whsec_', { 'webhook-signature': 'v1,83VGsVNu9knf7YeyZRNafczKtqIkCd1Z50KCLZ0SWMI=' }],
    ['another version', { 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }],
    ['another id', { 'webhook-id': 'msg_0002' }],
    ['another time', { 'webhook-timestamp': '1763708401' }],
    ['no time', { 'webhook-timestamp': '' }],
  ])('a callback with %s counts as forged', async (_what, changed) => {
    await using connected = await openVerifier()
    const { driver } = connected
    expect(await driver.verifyCallback?.(callbackWith(changed))).toEqual({ trust: 'forged' })
  })

  it('a callback with another body, or more than five minutes early or late, counts as forged', async () => {
    await using connected = await openVerifier()
    const { driver } = connected
    expect(await driver.verifyCallback?.(callbackWith({}, Buffer.from('{}')))).toEqual({ trust: 'forged' })
    for (const seconds of [-301, 301]) {
      await using laterVerifier = await openVerifier(1_763_708_400 + seconds)
      expect(await laterVerifier.driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'forged' })
    }
  })

  it('a callback after a change of the secret is accepted, and the secret is read at most once a minute', async () => {
    await using connected = await openVerifier()
    const { driver, simulator, wait } = connected
    simulator.next('probe', { status: 200, json: { key: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' } })
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'forged' })
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'forged' })
    expect(simulator.of('probe')).toHaveLength(1)
    wait(60_000)
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'signed' })
  })

  it('a callback after a change of the secret is accepted after the clock was set back', async () => {
    await using connected = await openVerifier(1_763_708_400 + 3_600)
    const { driver, simulator, wait } = connected
    simulator.next('probe', { status: 200, json: { key: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' } })
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'forged' })
    wait(-3_600_000)
    expect(await driver.verifyCallback?.(callbackWith())).toEqual({ trust: 'signed' })
  })

  it('the verification of a callback throws while the secret is unavailable', async () => {
    await using connected = await openVerifier()
    const { driver, simulator } = connected
    simulator.next('probe', { status: 500 })
    await expect(driver.verifyCallback?.(callbackWith())).rejects.toThrow('500')
  })
})

describe("Replicate's own client", () => {
  it("Replicate's own client completes a prediction with the simulator and verifies its webhooks", async () => {
    await using simulator = await Simulator.open(replicateProtocol)
    const client = new Replicate({ auth: replicateKey, baseUrl: `${simulator.origin}/v1`, useFileOutput: false })
    const model = 'bytedance/seedance-1-pro'
    const created = await client.predictions.create({ model, input: { prompt: 'a paper boat', duration: 5 } })
    const completed = await client.wait(created, { interval: 1 })
    expect(completed).toMatchObject({ status: 'succeeded', output: `${simulator.origin}/delivery/job-1/out.mp4` })
    expect(Buffer.from(await (await fetch(String(completed.output))).arrayBuffer())).toEqual(simulator.media)
    expect((await client.predictions.list()).results.map(({ id }) => id)).toEqual(['job-1'])
    expect((await client.models.get('bytedance', 'seedance-1-pro')).latest_version).toBeDefined()
    expect((await client.webhooks.default.secret.get()).key).toBe(replicateSecret)
    const otherPrediction = await client.predictions.create({ model, input: { prompt: 'another' } })
    expect((await client.predictions.cancel(otherPrediction.id)).status).toBe('canceled')
  })
})
