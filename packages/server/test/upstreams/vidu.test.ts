import { describe, expect, it } from 'vitest'
import { viduDriver } from '../../src/drivers/vidu/vidu-driver.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { viduKey, viduProtocol } from './vidu.protocol.ts'
import { startContext } from '../start-context.ts'

const remoteImage = 'https://example.com/last.png'
const { signal } = new AbortController()
const responseOf = (code: number, reason: string) => ({
  status: code,
  json: { code, reason, message: 'said so', metadata: { trace_id: 'trace-1' } },
})
const taskOf = (state: string, fields = {}) => ({
  status: 200,
  json: { id: 'job-1', state, err_code: '', creations: [], ...fields },
})
const failedTask = (code: string) => taskOf('failed', { err_code: code })
const creation = { id: 'c1', url: 'https://files.example.com/a.mp4', watermarked_url: 'https://files.example.com/b.mp4' }
const targetOf = (model: string) => ({ target: { model } })
const squareImage = { object: 'image' as const, size: { width: 1024, height: 1024 } }

describeDriver({
  driver: viduDriver,
  protocol: viduProtocol,
  credential: viduKey,
  target: { model: 'viduq3-turbo' },
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a paper boat', seed: 7 },
      expect: ({ url, headers, json }) => {
        expect(url.pathname).toBe('/ent/v2/text2video')
        expect(headers['authorization']).toBe(`Token ${viduKey}`)
        expect(json).toEqual({
          model: 'viduq3-turbo',
          prompt: 'a paper boat',
          duration: 5,
          resolution: '720p',
          aspect_ratio: '16:9',
          seed: 7,
          audio: false,
          watermark: false,
          payload: expect.stringMatching(/^task_\w+$/),
          callback_url: `https://gate.example/callbacks/route/${json.payload}/token`,
        })
      },
    },
    {
      title: 'a video from an image, in its ratio, with sound',
      parameters: { prompt: 'it moves', first_frame: dot, aspect_ratio: '21:9', audio: true, watermark: true },
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/ent/v2/img2video')
        expect(json).toMatchObject({ images: [dot], audio: true, watermark: true })
        expect('aspect_ratio' in json).toBe(false)
      },
    },
    {
      title: 'a video between two images',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: remoteImage, seconds: 16 },
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/ent/v2/start-end2video')
        expect(json).toMatchObject({ images: [dot, remoteImage], duration: 16 })
      },
    },
    {
      title: 'a video from references',
      parameters: { prompt: 'both', reference_images: [dot, remoteImage], aspect_ratio: '3:4' },
      ...targetOf('viduq3-mix'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/ent/v2/reference2video')
        expect(json).toMatchObject({ images: [dot, remoteImage], aspect_ratio: '3:4' })
      },
    },
    {
      title: 'a video of an unlisted model',
      parameters: { prompt: 'it moves', seconds: 20, resolution: '360p' },
      target: {
        model: 'viduq4',
        parameters: { audio: 'movement_amplitude' },
        extra: { movement_amplitude: 'small', off_peak: true },
      },
      expect: ({ json }) => {
        expect(json).toMatchObject({ duration: 20, resolution: '360p', movement_amplitude: 'small', off_peak: true })
        expect('audio' in json).toBe(false)
      },
    },
    {
      title: 'an image from a prompt',
      parameters: { prompt: 'a tin robot', aspect_ratio: '21:9' },
      request: squareImage,
      ...targetOf('viduq2'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/ent/v2/reference2image')
        expect(json).toMatchObject({ prompt: 'a tin robot', aspect_ratio: '21:9', resolution: '1080p' })
        expect(Object.keys(json).toSorted()).toEqual(['aspect_ratio', 'callback_url', 'model', 'payload', 'prompt', 'resolution'])
      },
    },
    {
      title: 'an image from reference images',
      parameters: { prompt: 'both', reference_images: [dot, remoteImage], resolution: '2K' },
      request: squareImage,
      ...targetOf('viduq2'),
      expect: ({ json }) => expect(json).toMatchObject({ images: [dot, remoteImage], resolution: '2K' }),
    },
  ],
  refusedRequests: [
    { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    { title: 'the seed 0, which means a random seed', parameters: { seed: 0 }, parameter: 'seed' },
    { title: 'a length that the model does not support', parameters: { seconds: 17 }, parameter: 'seconds' },
    {
      title: 'a length that is not supported with references',
      parameters: { seconds: 2, reference_images: [dot] },
      parameter: 'seconds',
    },
    { title: 'a size that the model does not support', parameters: { resolution: '480p' }, parameter: 'resolution' },
    { title: 'a ratio that the model does not support', parameters: { aspect_ratio: '21:9' }, parameter: 'aspect_ratio' },
    {
      title: 'an aspect ratio that Q1 does not support',
      parameters: { resolution: '1080p', aspect_ratio: '4:3' },
      ...targetOf('viduq1'),
      parameter: 'aspect_ratio',
    },
    { title: 'a last frame alone', parameters: { last_frame: dot }, parameter: 'last_frame' },
    {
      title: 'references beside frames',
      parameters: { first_frame: dot, reference_images: [dot] },
      parameter: 'reference_images',
    },
    {
      title: 'too many references',
      parameters: { reference_images: Array.from({ length: 8 }, () => dot) },
      parameter: 'reference_images',
    },
    {
      title: 'references for a model that accepts none',
      parameters: { reference_images: [dot] },
      ...targetOf('viduq3-pro'),
      parameter: 'reference_images',
    },
    {
      title: 'frames for a model that accepts none',
      parameters: { first_frame: dot },
      ...targetOf('viduq3-mix'),
      parameter: 'first_frame',
    },
    {
      title: 'a last frame for a model that accepts none',
      parameters: { first_frame: dot, last_frame: dot },
      ...targetOf('viduq3-pro-fast'),
      parameter: 'last_frame',
    },
    { title: 'a prompt alone where a frame is needed', parameters: {}, ...targetOf('viduq2-turbo'), parameter: 'first_frame' },
    { title: 'a prompt alone where references are needed', parameters: {}, ...targetOf('viduq3'), parameter: 'reference_images' },
    {
      title: 'a watermark on an image',
      parameters: { watermark: true },
      object: 'image',
      ...targetOf('viduq2'),
      parameter: 'watermark',
    },
    {
      title: 'an image of Q1 from a prompt alone',
      parameters: {},
      object: 'image',
      ...targetOf('viduq1'),
      parameter: 'reference_images',
    },
  ],
  submitErrors: [
    ...['BadRequest', 'FieldLacking', 'FieldInvalid', 'PageSizeOutOfRange', 'ImageFormatInvalid', 'ImageDownloadFailure'].map(
      (reason) => ({
        title: reason,
        response: responseOf(400, reason),
        means: 'invalid_input' as const,
      }),
    ),
    { title: 'an image without a usable face', response: responseOf(400, 'ImageCheckFaceFailed'), means: 'invalid_input' },
    { title: 'a refusal of the prompt', response: responseOf(400, 'TaskPromptPolicyViolation'), means: 'content_policy' },
    { title: 'a refusal of the input', response: responseOf(400, 'AuditSubmitIllegal'), means: 'content_policy' },
    { title: 'an empty balance', response: responseOf(400, 'CreditInsufficient'), means: 'credential unavailable' },
    {
      title: 'an empty balance, with status 402',
      response: responseOf(402, 'CreditInsufficient'),
      means: 'credential unavailable',
    },
    { title: 'a model that is closed', response: responseOf(400, 'ModelUnavailable'), means: 'route unavailable' },
    { title: 'another operation in progress', response: responseOf(400, 'OperationInProcess'), means: 'throttled' },
    { title: 'a wrong key', response: responseOf(401, 'Unauthorized'), means: 'credential unavailable' },
    { title: 'a missing permission', response: responseOf(403, 'Forbidden'), means: 'route unavailable' },
    { title: 'a path that does not exist', response: responseOf(404, 'NotFound'), means: 'route unavailable' },
    { title: 'a conflict', response: responseOf(409, 'Conflict'), means: 'unknown' },
    { title: 'too large', response: { status: 413, bytes: Buffer.from('<html>') }, means: 'invalid_input' },
    { title: 'an exhausted quota', response: responseOf(429, 'QuotaExceeded'), means: 'throttled' },
    { title: 'too many requests', response: responseOf(429, 'TooManyRequests'), means: 'throttled' },
    {
      title: 'too many requests, with Retry-After',
      response: { ...responseOf(429, 'SystemThrottling'), headers: { 'retry-after': '7' } },
      means: { throttledForMs: 7000 },
    },
    { title: 'cancelled while it runs', response: responseOf(499, 'Canceled'), means: 'unknown' },
    { title: 'an internal error of the provider', response: responseOf(500, 'InternalServiceFailure'), means: 'unknown' },
    { title: 'an error page of a proxy', response: { status: 502, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'success without an id', response: { status: 200, json: { state: 'failed' } }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { task_id: '..' } }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'created', response: taskOf('created'), means: { state: 'queued' } },
    { title: 'waiting', response: taskOf('queueing'), means: { state: 'queued' } },
    { title: 'processing', response: taskOf('processing'), means: { state: 'running' } },
    { title: 'scheduled', response: taskOf('scheduled'), means: { state: 'running' } },
    {
      title: 'done',
      response: taskOf('success', { credits: 55, creations: [creation] }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url: 'https://files.example.com/a.mp4' } }],
        cost: { amount: 55, unit: 'credits' },
      },
    },
    {
      title: 'done without a result',
      response: taskOf('success'),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'output refused by the content policy',
      response: failedTask('CreationPolicyViolation'),
      means: { state: 'failed', code: 'content_policy' },
    },
    { title: 'a refused image', response: failedTask('PhotoAuditNotPass'), means: { state: 'failed', code: 'content_policy' } },
    {
      title: 'a missing image',
      response: failedTask('ImageDownloadFailure'),
      means: { state: 'failed', code: 'invalid_input' },
    },
    { title: 'no face', response: failedTask('NoFaceDetected'), means: { state: 'failed', code: 'invalid_input' } },
    { title: 'cancelled', response: failedTask('UserCancelled'), means: { state: 'failed', code: 'cancelled' } },
    {
      title: 'failed',
      response: failedTask('InternalServiceFailure'),
      means: { state: 'failed', code: 'upstream_failed', detail: 'InternalServiceFailure', retryable: false },
    },
    { title: 'not yet there', response: responseOf(404, 'TaskNotFound'), means: 'again' },
    { title: 'a wrong key', response: responseOf(401, 'Unauthorized'), means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: taskOf('contemplating'),
  findsLostJobs: true,
  cancels: true,
})

const connectTo = (model = 'viduq3-turbo') => openUpstream(viduDriver, viduProtocol, { credential: viduKey, model })
const samePrompt = { prompt: 'the same words' }
const listOf = (tasks: object[], next = '') => ({ status: 200, json: { next_page_token: next, tasks } })

describe('the Vidu driver', () => {
  it('the video with the watermark is used when a watermark was requested', async () => {
    await using connected = await connectTo()
    const request = requestOf({ ...samePrompt, watermark: true })
    const operation = await connected.driver.start(request, startContext)
    connected.simulator.next('poll', taskOf('success', { creations: [creation] }))
    const outcome = await connected.driver.poll(operation, request, signal)
    expect(outcome).toMatchObject({ outputs: [{ location: { url: 'https://files.example.com/b.mp4' } }] })
  })

  it('a probe of Vidu accepts the key and reports a wrong key', async () => {
    await using connected = await connectTo()
    await viduDriver.probe?.(connected.target, connected.tools, signal)
    await expect(viduDriver.probe?.({ ...connected.target, credential: 'wrong' }, connected.tools, signal)).rejects.toThrow('401')
  })

  it('a poll reports success after a cancellation that came too late', async () => {
    await using connected = await connectTo()
    connected.simulator.moves = ['running', 'succeeded']
    const request = requestOf(samePrompt)
    const operation = await connected.driver.start(request, startContext)
    await connected.driver.poll(operation, request, signal)
    await connected.driver.cancel?.(operation, request)
    expect((await connected.driver.poll(operation, request, signal)).state).toBe('succeeded')
  })
})

describe('vidu: submits without a response', () => {
  it('a submit without a response is not matched with the job of another submit', async () => {
    await using connected = await connectTo()
    connected.simulator.next(
      'find',
      listOf([
        { id: '7', payload: 'another', ...samePrompt },
        { id: '8', prompt: 'other words' },
      ]),
    )
    expect(await connected.driver.find?.(requestOf(samePrompt), signal)).toBeNull()
  })

  it('a submit without a response stays unresolved if a job with the same prompt has no tag', async () => {
    await using connected = await connectTo()
    connected.simulator.next('find', listOf([{ id: '7', ...samePrompt }]))
    await expect(connected.driver.find?.(requestOf(samePrompt), signal)).rejects.toThrow()
  })

  it('the lookup after a submit without a response reads every page, and stays unresolved if a page is missing', async () => {
    await using connected = await connectTo()
    const request = requestOf(samePrompt)
    const otherTasks = Array.from({ length: 100 }, () => ({ id: '7', payload: 'another' }))
    connected.simulator.next('find', listOf(otherTasks, 'page-2'))
    connected.simulator.next('find', listOf([{ id: '812345678901234567', payload: request.attemptId }]))
    expect(await connected.driver.find?.(request, signal)).toEqual({ id: '812345678901234567' })
    expect(connected.simulator.of('find').map(({ url }) => url.searchParams.get('pager.page_token'))).toEqual([null, 'page-2'])
    connected.simulator.next('find', listOf(otherTasks, 'page-2'))
    connected.simulator.next('find', { status: 500 })
    await expect(connected.driver.find?.(request, signal)).rejects.toThrow('500')
  })
})

describe('vidu: callbacks', () => {
  // The example in the provider's documentation of signatures.
  const key = 'vda_throwaway_1'
  const headers = {
    date: 'Fri, 21 Nov 2025 07:00:00 GMT',
    'x-request-nonce': 'nonce-1',
    'x-hmac-signature': 'i2J3G3w08Spug9y1uYH9jCALDWT+j8gAUJkgr0ITRx8=',
    'x-hmac-algorithm': 'hmac-sha256',
    'x-hmac-access-key': 'vidu',
    'x-hmac-signed-headers': 'Date;x-request-nonce',
  }
  async function verify(changed: { headers?: Record<string, string>; url?: string; method?: string } = {}, seconds = 0) {
    await using connected = await connectTo()
    const clock = () => (1_763_708_400 + seconds) * 1000
    await using driver = viduDriver.connect({ ...connected.target, credential: key }, { ...connected.tools, clock })
    return driver.verifyCallback?.({
      method: 'POST',
      url: 'https://gw.example/cb/vidu?job=j1&v=2',
      body: Buffer.from('{"id":"1","state":"success"}'),
      ...changed,
      headers: { ...headers, ...changed.headers },
    })
  }

  it('a callback that is signed with the key is accepted', async () => {
    expect(await verify()).toEqual({ trust: 'signed' })
    expect(await verify({}, 299)).toEqual({ trust: 'signed' })
  })

  it.each([
    ['no signature', { headers: { 'x-hmac-signature': '' } }],
    ['another signature', { headers: { 'x-hmac-signature': 'A2J3G3w08Spug9y1uYH9jCALDWT+j8gAUJkgr0ITRx8=' } }],
    ['another nonce', { headers: { 'x-request-nonce': 'nonce-2' } }],
    ['another date', { headers: { date: 'Fri, 21 Nov 2025 07:00:01 GMT' } }],
    ['no date', { headers: { date: '' } }],
    ['other signed headers', { headers: { 'x-hmac-signed-headers': 'Date' } }],
    ['another algorithm', { headers: { 'x-hmac-algorithm': 'hmac-sha1' } }],
    ['another access key', { headers: { 'x-hmac-access-key': 'somebody' } }],
    ['another query', { url: 'https://gw.example/cb/vidu?job=j2&v=2' }],
    ['another path', { url: 'https://gw.example/cb/other?job=j1&v=2' }],
    ['another method', { method: 'PUT' }],
  ])('a callback with %s counts as forged', async (_what, changed) => {
    expect(await verify(changed)).toEqual({ trust: 'forged' })
  })

  it.each([-301, 301])('a callback whose timestamp is off by %i seconds counts as forged', async (seconds) => {
    expect(await verify({}, seconds)).toEqual({ trust: 'forged' })
  })
})
