import { describe, expect, it } from 'vitest'
import { dashscopeDriver } from '../../src/drivers/dashscope/dashscope-driver.ts'
import { dashscopeKey, dashscopeProtocol } from './dashscope.protocol.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { startContext } from '../start-context.ts'

const imageUrl = 'https://example.com/a.png'
const responseOf = (status: number, code: string, message = 'said so', headers = {}) => ({
  status,
  headers,
  json: { code, message, request_id: 'r-1' },
})
const taskOf = (status: string, outputFields = {}, bodyFields = {}) => ({
  status: 200,
  json: { request_id: 'r-1', output: { task_id: 'job-1', task_status: status, ...outputFields }, ...bodyFields },
})
const squareImage = { object: 'image', size: { width: 1024, height: 1024 } } as const
const targetOf = (name: string) => ({ model: name })

describeDriver({
  driver: dashscopeDriver,
  protocol: dashscopeProtocol,
  basePath: '/api/v1',
  credential: dashscopeKey,
  target: targetOf('wan3.0-video'),
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', seconds: 8, seed: 7 },
      expect: ({ url, headers, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/video-generation/video-synthesis')
        expect(headers).toMatchObject({ authorization: `Bearer ${dashscopeKey}`, 'x-dashscope-async': 'enable' })
        expect(json).toEqual({
          model: 'wan3.0-video',
          input: { prompt: 'a kite over dunes' },
          parameters: {
            resolution: '720P',
            ratio: '16:9',
            duration: 8,
            audio: false,
            prompt_extend: false,
            watermark: false,
            seed: 7,
          },
        })
      },
    },
    {
      title: 'a video between two frames, with sound',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: imageUrl, audio: true, watermark: true },
      expect: ({ json }) => {
        expect(json.input.media).toEqual([
          { type: 'first_frame', url: dot },
          { type: 'last_frame', url: imageUrl },
        ])
        expect(json.parameters).toMatchObject({ audio: true, watermark: true })
        expect(json.parameters).not.toHaveProperty('ratio')
      },
    },
    {
      title: 'a video from references',
      parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
      expect: ({ json }) =>
        expect(json.input.media).toEqual([
          { type: 'reference_image', url: dot },
          { type: 'reference_image', url: imageUrl },
        ]),
    },
    {
      title: 'a video of Wan 2.7 from a frame and a reference',
      parameters: { prompt: 'both', first_frame: dot, reference_images: [imageUrl], negative_prompt: 'fog' },
      target: targetOf('wan2.7-r2v'),
      expect: ({ json }) => {
        expect(json.input).toMatchObject({
          negative_prompt: 'fog',
          media: [{ type: 'first_frame' }, { type: 'reference_image' }],
        })
        expect(json.parameters).not.toHaveProperty('audio')
      },
    },
    {
      title: 'a video of HappyHorse, which never rewrites the prompt',
      parameters: { prompt: 'a kite', audio: true, seconds: 3 },
      target: targetOf('happyhorse-1.0-t2v'),
      expect: ({ json }) => expect(json.parameters).toEqual({ resolution: '720P', ratio: '16:9', duration: 3, watermark: false }),
    },
    {
      title: 'a video of Wan 2.6 from a prompt, with the size in pixels',
      parameters: { prompt: 'a kite', aspect_ratio: '4:3', negative_prompt: 'fog' },
      target: targetOf('wan2.6-t2v'),
      expect: ({ json }) => {
        expect(json.input).toEqual({ prompt: 'a kite', negative_prompt: 'fog' })
        expect(json.parameters).toEqual({ size: '1088*832', duration: 5, prompt_extend: false, watermark: false })
      },
    },
    {
      title: 'a video of Wan 2.6 from an image',
      parameters: { prompt: 'it moves', first_frame: dot, resolution: '1080p', audio: true },
      target: targetOf('wan2.6-i2v-flash'),
      expect: ({ json }) => {
        expect(json.input.img_url).toBe(dot)
        expect(json.parameters).toMatchObject({ resolution: '1080P', audio: true })
      },
    },
    {
      title: 'a video of Wan 2.6 from references',
      parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
      target: targetOf('wan2.6-r2v'),
      expect: ({ json }) => {
        expect(json.input.reference_urls).toEqual([dot, imageUrl])
        expect(json.parameters.size).toBe('1280*720')
      },
    },
    {
      title: 'a video of Wan 2.2 between two frames',
      parameters: { prompt: 'it turns', first_frame: dot, last_frame: imageUrl },
      target: targetOf('wan2.2-kf2v-flash'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/image2video/video-synthesis')
        expect(json.input).toEqual({ prompt: 'it turns', first_frame_url: dot, last_frame_url: imageUrl })
      },
    },
    {
      title: 'a video of an unknown model, with renamed and additional fields of the route',
      parameters: { prompt: 'a kite', seconds: 60, aspect_ratio: '3:2', audio: true },
      target: {
        model: 'wan4.0-video',
        parameters: { audio: 'parameters.sound' },
        extra: { parameters: { prompt_extend: true } },
      },
      expect: ({ json }) =>
        expect(json.parameters).toMatchObject({ sound: true, prompt_extend: true, duration: 60, ratio: '3:2' }),
    },
    {
      title: 'an image in the response to the submit',
      parameters: { prompt: 'a tin robot', negative_prompt: 'rust', seed: 3 },
      request: squareImage,
      target: targetOf('qwen-image-2.0'),
      expect: ({ url, headers, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/multimodal-generation/generation')
        expect(headers).not.toHaveProperty('x-dashscope-async')
        expect(json).toEqual({
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: 'a tin robot' }] }] },
          parameters: { n: 1, size: '1024*1024', negative_prompt: 'rust', prompt_extend: false, watermark: false, seed: 3 },
        })
      },
    },
    {
      title: 'an image from reference images, as a task',
      parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
      request: squareImage,
      target: targetOf('wan2.7-image'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/image-generation/generation')
        expect(json.input.messages[0].content).toEqual([{ text: 'both' }, { image: dot }, { image: imageUrl }])
        expect(json.parameters).not.toHaveProperty('prompt_extend')
      },
    },
    {
      title: 'an image of a size set by the operator',
      parameters: { prompt: 'a tin robot' },
      request: squareImage,
      target: { model: 'wan2.6-t2i', extra: { parameters: { size: '1280*1280' } } },
      expect: ({ json }) => expect(json.parameters.size).toBe('1280*1280'),
    },
    {
      title: 'an image whose resolution the route renames',
      parameters: { prompt: 'a tin robot' },
      request: squareImage,
      target: { model: 'wan2.6-t2i', parameters: { resolution: 'parameters.quality' } },
      expect: ({ json }) => {
        expect(json.parameters).toMatchObject({ quality: '1K' })
        expect(json.parameters).not.toHaveProperty('size')
      },
    },
    {
      title: 'an image of Wan 2.5 from a prompt',
      parameters: { prompt: 'a tin robot', negative_prompt: 'rust' },
      request: squareImage,
      target: targetOf('wan2.5-t2i-preview'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/text2image/image-synthesis')
        expect(json.input).toEqual({ prompt: 'a tin robot', negative_prompt: 'rust' })
      },
    },
    {
      title: 'an image of Wan 2.5 from a reference image',
      parameters: { prompt: 'both', reference_images: [dot] },
      request: squareImage,
      target: targetOf('wan2.5-i2i-preview'),
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/api/v1/services/aigc/image2image/image-synthesis')
        expect(json.input.images).toEqual([dot])
      },
    },
  ],
  refusedRequests: [
    { title: 'a negative prompt for Wan 3.0', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    { title: 'too long a video', parameters: { seconds: 31 }, parameter: 'seconds' },
    { title: 'too long for Wan 2.7', parameters: { seconds: 16 }, target: targetOf('wan2.7-t2v'), parameter: 'seconds' },
    {
      title: 'a length between two supported lengths',
      parameters: { seconds: 6 },
      target: targetOf('wan2.5-t2v-preview'),
      parameter: 'seconds',
    },
    { title: 'a ratio that the model does not support', parameters: { aspect_ratio: '21:9' }, parameter: 'aspect_ratio' },
    {
      title: 'a resolution that Wan 2.7 does not support',
      parameters: { resolution: '480p' },
      target: targetOf('wan2.7-t2v'),
      parameter: 'resolution',
    },
    {
      title: 'a ratio that the model does not support at this resolution',
      parameters: { aspect_ratio: '4:3', resolution: '480p' },
      target: targetOf('wan2.5-t2v-preview'),
      parameter: 'aspect_ratio',
    },
    { title: 'a seed that is too large', parameters: { seed: 2 ** 31 }, parameter: 'seed' },
    {
      title: 'references beside a frame',
      parameters: { first_frame: dot, reference_images: [dot] },
      parameter: 'reference_images',
    },
    {
      title: 'eleven references',
      parameters: { reference_images: Array.from({ length: 11 }, () => dot) },
      parameter: 'reference_images',
    },
    {
      title: 'an image where only a prompt is accepted',
      parameters: { first_frame: dot },
      target: targetOf('wan2.7-t2v'),
      parameter: 'first_frame',
    },
    {
      title: 'a prompt alone where an image is required',
      parameters: {},
      target: targetOf('wan2.7-i2v'),
      parameter: 'first_frame',
    },
    {
      title: 'a prompt alone where references are required',
      parameters: {},
      target: targetOf('happyhorse-1.0-r2v'),
      parameter: 'reference_images',
    },
    {
      title: 'a last frame for Wan 2.6',
      parameters: { first_frame: dot, last_frame: dot },
      target: targetOf('wan2.6-i2v'),
      parameter: 'last_frame',
    },
    {
      title: 'a first frame alone where two frames are required',
      parameters: { first_frame: dot },
      target: targetOf('wan2.2-kf2v-flash'),
      parameter: 'last_frame',
    },
    {
      title: 'sound from a silent model',
      parameters: { audio: true, resolution: '1080p' },
      target: targetOf('wan2.2-t2v-plus'),
      parameter: 'audio',
    },
    {
      title: 'an image at 1K from a model that draws only larger images',
      parameters: {},
      object: 'image',
      target: targetOf('wan2.6-t2i'),
      parameter: 'resolution',
    },
    {
      title: 'an image without its required reference image',
      parameters: {},
      object: 'image',
      target: targetOf('wan2.6-image'),
      parameter: 'reference_images',
    },
    {
      title: 'a negative prompt for an image of Wan 2.7',
      parameters: { negative_prompt: 'rust' },
      object: 'image',
      target: targetOf('wan2.7-image'),
      parameter: 'negative_prompt',
    },
  ],
  submitErrors: [
    ...[
      'InvalidParameter',
      'InvalidParameter.DataInspection',
      'BadRequest.EmptyInput',
      'BadRequest.InputDownloadFailed',
      'InvalidURL',
      'InvalidFile.Resolution',
      'InvalidImage.Format',
    ].map((code) => ({ title: code, response: responseOf(400, code), means: 'invalid_input' as const })),
    { title: 'DataInspectionFailed', response: responseOf(400, 'DataInspectionFailed'), means: 'content_policy' },
    { title: 'IPInfringementSuspect', response: responseOf(400, 'IPInfringementSuspect'), means: 'content_policy' },
    { title: 'Arrearage', response: responseOf(400, 'Arrearage'), means: 'credential unavailable' },
    {
      title: 'AllocationQuota.FreeTierOnly',
      response: responseOf(403, 'AllocationQuota.FreeTierOnly'),
      means: 'route unavailable',
    },
    { title: 'InvalidApiKey', response: responseOf(401, 'InvalidApiKey'), means: 'credential unavailable' },
    { title: 'AccessDenied', response: responseOf(403, 'AccessDenied.Unpurchased'), means: 'route unavailable' },
    { title: 'ModelNotFound', response: responseOf(404, 'ModelNotFound'), means: 'route unavailable' },
    { title: 'RequestTimeOut', response: responseOf(408, 'RequestTimeOut'), means: 'unknown' },
    { title: 'too large', response: responseOf(413, 'BadRequest.TooLarge'), means: 'invalid_input' },
    { title: 'Throttling', response: responseOf(429, 'Throttling.RateQuota'), means: 'throttled' },
    {
      title: 'Throttling with Retry-After',
      response: responseOf(429, 'Throttling.AllocationQuota', 'slow down', { 'retry-after': '60' }),
      means: { throttledForMs: 60_000 },
    },
    { title: 'InternalError', response: responseOf(500, 'InternalError.Timeout'), means: 'unknown' },
    { title: 'ModelUnavailable', response: responseOf(503, 'ModelUnavailable'), means: 'unknown' },
    { title: 'an error code in a response with HTTP 200', response: responseOf(200, 'InvalidParameter'), means: 'unknown' },
    { title: 'success without an id', response: taskOf('PENDING', { task_id: '' }), means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: taskOf('PENDING', { task_id: '..' }), means: 'unknown' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'waiting', response: taskOf('PENDING'), means: { state: 'queued' } },
    { title: 'running', response: taskOf('RUNNING'), means: { state: 'running' } },
    { title: 'suspended', response: taskOf('SUSPENDED'), means: { state: 'running' } },
    {
      title: 'done',
      response: taskOf('SUCCEEDED', { video_url: imageUrl }, { usage: { duration: 5, video_count: 1, SR: 720 } }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url: imageUrl } }],
        cost: { amount: 5, unit: 'seconds' },
      },
    },
    {
      title: 'done, in the format of older models',
      response: taskOf('SUCCEEDED', { results: { video_url: imageUrl } }, { usage: { video_duration: 4 } }),
      means: { state: 'succeeded', cost: { amount: 4, unit: 'seconds' } },
    },
    {
      title: 'done, with some images refused',
      response: taskOf('SUCCEEDED', { results: [{ code: 'DataInspectionFailed', message: 'no' }, { url: imageUrl }] }),
      means: { state: 'succeeded' },
    },
    {
      title: 'done, with every image refused by the content policy',
      response: taskOf('SUCCEEDED', { results: [{ code: 'DataInspectionFailed', message: 'no' }] }),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'done without a file',
      response: taskOf('SUCCEEDED'),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'failed',
      response: taskOf('FAILED', { code: 'InternalError.Algo', message: 'it broke' }),
      means: { state: 'failed', code: 'upstream_failed', detail: 'HTTP 200, InternalError.Algo: it broke', retryable: false },
    },
    { title: 'failed without a code', response: taskOf('FAILED'), means: { state: 'failed', code: 'upstream_failed' } },
    {
      title: 'output refused by the content policy',
      response: taskOf('FAILED', { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' }),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'an error in the input',
      response: taskOf('FAILED', { code: 'InvalidParameter' }),
      means: { state: 'failed', code: 'invalid_input' },
    },
    {
      title: 'an input image that DashScope cannot read',
      response: taskOf('FAILED', { code: 'InvalidParameter.DataInspection' }),
      means: { state: 'failed', code: 'invalid_input' },
    },
    { title: 'cancelled by another client', response: taskOf('CANCELED'), means: { state: 'failed', code: 'upstream_failed' } },
    { title: 'cancelled, in the other spelling', response: taskOf('CANCELLED'), means: { state: 'failed' } },
    { title: 'not known yet, right after its submit', response: taskOf('UNKNOWN'), means: { state: 'running' } },
    { title: 'a wrong key', response: responseOf(401, 'InvalidApiKey'), means: 'again' },
    { title: 'no status', response: { status: 200, json: { output: {} } }, means: 'again' },
  ],
  unknownStatus: taskOf('CONTEMPLATING'),
  findsLostJobs: false,
  cancels: true,
})

const connectTo = (name: string) =>
  openUpstream(dashscopeDriver, dashscopeProtocol, { basePath: '/api/v1', credential: dashscopeKey, model: name })

describe('the DashScope driver', () => {
  const { signal } = new AbortController()

  it('a task that DashScope reports as unknown fails five minutes after its submit, as one that may have been charged', async () => {
    await using connected = await connectTo('wan3.0-video')
    const { driver, simulator, tools } = connected
    const request = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(request, startContext)
    simulator.jobs.length = 0
    expect((await driver.poll(operation, request, signal)).state).toBe('running')
    const laterMs = Date.now() + 6 * 60_000
    tools.clock = () => laterMs
    expect(await driver.poll(operation, request, signal)).toMatchObject({
      state: 'failed',
      code: 'upstream_failed',
      isCompletedUpstream: true,
    })
  })

  it('a poll whose response has no task_status rejects with an error that names the field', async () => {
    await using connected = await connectTo('wan3.0-video')
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(request, startContext)
    simulator.next('poll', { status: 200, json: { output: {}, request_id: 'r-1' } })
    await expect(driver.poll(operation, request, signal)).rejects.toThrow('the poll returned HTTP 200 without a task_status')
  })

  it('a cancellation ends a queued task, and does not affect a running one', async () => {
    await using connected = await connectTo('wan3.0-video')
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite' })
    const waiting = await driver.start(request, startContext)
    await driver.cancel?.(waiting, request)
    expect(await driver.poll(waiting, request, signal)).toMatchObject({ state: 'failed' })
    const running = await driver.start(request, startContext)
    simulator.jobs[1]!.moves = ['running', 'succeeded']
    await driver.poll(running, request, signal)
    await driver.cancel?.(running, request)
    expect(await driver.poll(running, request, signal)).toMatchObject({ state: 'succeeded' })
  })

  describe('an image in the response to the submit', () => {
    const request = requestOf({ prompt: 'a tin robot' }, { object: 'image' })

    it('the poll of an image from the response to the submit reports its cost', async () => {
      await using connected = await connectTo('qwen-image-max')
      const { driver } = connected
      const outcome = await driver.poll(await driver.start(request, startContext), request, signal)
      expect(outcome).toMatchObject({ state: 'succeeded', cost: { amount: 1, unit: 'images' } })
    })

    it('the cancellation of an image from the response to the submit sends nothing', async () => {
      await using connected = await connectTo('qwen-image-max')
      const { driver, simulator } = connected
      await driver.start(request, startContext)
      await driver.cancel?.({ url: imageUrl }, request)
      expect(simulator.of('cancel')).toHaveLength(0)
    })

    it.each([{ bytes: Buffer.from('<html>') }, { json: { output: null, request_id: 'r-1' } }])(
      'it is unknown whether a submit that gets %j has drawn an image',
      async (response) => {
        await using connected = await connectTo('qwen-image-max')
        connected.simulator.next('submit', { status: 200, ...response })
        await expect(connected.driver.start(request, startContext)).rejects.toMatchObject({ name: 'AcceptanceUnknown' })
      },
    )

    it('a response without its image fails the task, and counts as a completed job', async () => {
      await using connected = await connectTo('qwen-image-max')
      const { driver, simulator } = connected
      simulator.next('submit', { status: 200, json: { output: { choices: [] }, request_id: 'r-1' } })
      const outcome = await driver.poll(await driver.start(request, startContext), request, signal)
      expect(outcome).toMatchObject({ state: 'failed', code: 'upstream_failed', isCompletedUpstream: true })
    })
  })

  it('a probe of DashScope creates no job and reports a wrong key', async () => {
    await using connected = await connectTo('wan3.0-video')
    const { simulator, target, tools } = connected
    await dashscopeDriver.probe?.(target, tools, signal)
    await expect(dashscopeDriver.probe?.({ ...target, credential: 'another' }, tools, signal)).rejects.toThrow('401')
    expect(simulator.jobs).toHaveLength(0)
  })
})
