import { describe, expect, it } from 'vitest'
import { klingDriver } from '../../src/drivers/kling/kling-driver.ts'
import { dot, type DriverSpec, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { klingKey, klingPair, klingProtocol } from './kling.protocol.ts'
import { startContext } from '../start-context.ts'

const base64 = dot.slice(dot.indexOf(',') + 1)
const imageUrl = 'https://example.com/a.png'
const tag = expect.stringMatching(/^task_/)

const responseOf = (status: number, code: number, message = 'said so', headers = {}) => ({
  status,
  headers,
  json: { code, message, request_id: 'r-1' },
})
const successOf = (data: unknown) => ({ status: 200, json: { code: 0, message: 'SUCCEED', request_id: 'r-1', data } })
const firstGenerationTask = (status: string, fields = {}) => successOf({ task_id: 'job-1', task_status: status, ...fields })
const secondGenerationTask = (status: string, fields = {}) => successOf([{ id: 'job-1', status, ...fields }])

/** Error responses to submits. Both generations of the API share them. */
const submitErrors: DriverSpec['submitErrors'] = [
  ...[1000, 1001, 1002, 1003, 1004].map((code) => ({
    title: `${code}, the key`,
    response: responseOf(401, code),
    means: 'credential unavailable' as const,
  })),
  ...[1100, 1101, 1102].map((code) => ({
    title: `${code}, no money`,
    response: responseOf(429, code),
    means: 'credential unavailable' as const,
  })),
  { title: '1103, a missing permission', response: responseOf(403, 1103), means: 'route unavailable' },
  { title: '1200, a bad field', response: responseOf(400, 1200), means: 'invalid_input' },
  { title: '1201, a bad field', response: responseOf(400, 1201), means: 'invalid_input' },
  { title: '1202, a wrong path', response: responseOf(404, 1202), means: 'route unavailable' },
  { title: '1203, an unknown model', response: responseOf(404, 1203), means: 'route unavailable' },
  { title: '1300, a violated policy', response: responseOf(400, 1300), means: 'content_policy' },
  { title: '1301, refused content', response: responseOf(400, 1301), means: 'content_policy' },
  { title: '1302, too many requests', response: responseOf(429, 1302), means: 'throttled' },
  {
    title: '1302, too many requests, with Retry-After',
    response: responseOf(429, 1302, '', { 'retry-after': '3' }),
    means: { throttledForMs: 3000 },
  },
  {
    title: '1303, all slots in use',
    response: responseOf(429, 1303, 'parallel task over resource pack limit'),
    means: 'throttled',
  },
  {
    title: '1304, an IP address that is not on the allow list',
    response: responseOf(429, 1304),
    means: 'credential unavailable',
  },
  { title: '5000, an internal error of the provider', response: responseOf(500, 5000), means: 'unknown' },
  { title: '5001, maintenance', response: responseOf(503, 5001), means: 'unknown' },
  { title: '5002, a timeout', response: responseOf(504, 5002), means: 'unknown' },
  { title: 'a refusal with HTTP 200', response: responseOf(200, 1301), means: 'content_policy' },
  { title: 'an unknown code with HTTP 200', response: responseOf(200, 1999), means: 'unknown' },
  { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
  { title: 'success without an id', response: successOf({}), means: 'unknown' },
  { title: 'an id that cannot be part of a URL', response: successOf({ task_id: '..' }), means: 'unknown' },
]

describe('Kling, first generation', () => {
  describeDriver({
    driver: klingDriver,
    protocol: klingProtocol,
    credential: `${klingPair.accessKey}:${klingPair.secretKey}`,
    target: { model: 'kling-v3' },
    requests: [
      {
        title: 'a video from a prompt',
        parameters: { prompt: 'a kite over dunes', seconds: 8, negative_prompt: 'fog' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/videos/text2video')
          expect(json).toEqual({
            model_name: 'kling-v3',
            prompt: 'a kite over dunes',
            negative_prompt: 'fog',
            mode: 'std',
            duration: '8',
            aspect_ratio: '16:9',
            sound: 'off',
            watermark_info: { enabled: false },
            callback_url: expect.stringContaining('/callbacks/'),
            external_task_id: tag,
          })
        },
      },
      {
        title: 'a video between two frames, with sound',
        parameters: { prompt: 'it moves', first_frame: dot, last_frame: imageUrl, resolution: '1080p', audio: true },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/videos/image2video')
          expect(json).toMatchObject({ image: base64, image_tail: imageUrl, mode: 'pro', sound: 'on' })
        },
      },
      {
        title: 'a video from references',
        parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
        target: { model: 'kling-v1-6' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/videos/multi-image2video')
          expect(json.image_list).toEqual([{ image: base64 }, { image: imageUrl }])
          expect(json).not.toHaveProperty('sound')
        },
      },
      {
        title: 'a video from a frame and references',
        parameters: { prompt: 'both', first_frame: imageUrl, reference_images: [dot], aspect_ratio: '4:3' },
        target: { model: 'kling-v3-omni' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/videos/omni-video')
          expect(json.image_list).toEqual([{ image_url: imageUrl, type: 'first_frame' }, { image_url: base64 }])
          expect(json).not.toHaveProperty('aspect_ratio')
        },
      },
      {
        title: 'a video of an unknown model, with renamed and additional fields of the route',
        parameters: { prompt: 'a kite', seconds: 60, seed: 3 },
        target: { model: 'kling-v9', parameters: { seed: 'seed' }, extra: { cfg_scale: 0.7, external_task_id: 'mine' } },
        expect: ({ json }) => expect(json).toMatchObject({ duration: '60', seed: 3, cfg_scale: 0.7, external_task_id: tag }),
      },
      {
        title: 'an image from a prompt',
        parameters: { prompt: 'a tin robot', negative_prompt: 'rust', resolution: '2K', aspect_ratio: '21:9' },
        request: { object: 'image' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/images/generations')
          expect(json).toMatchObject({ negative_prompt: 'rust', resolution: '2k', aspect_ratio: '21:9', n: 1 })
        },
      },
      {
        title: 'an image from a reference image',
        parameters: { prompt: 'this one', reference_images: [dot] },
        request: { object: 'image' },
        expect: ({ json }) => expect(json.image).toBe(base64),
      },
      {
        title: 'an image from reference images',
        parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
        request: { object: 'image' },
        target: { model: 'kling-image-o1' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/images/omni-image')
          expect(json.image_list).toEqual([{ image: base64 }, { image: imageUrl }])
        },
      },
    ],
    refusedRequests: [
      { title: 'a seed', parameters: { seed: 1 }, parameter: 'seed' },
      { title: 'too long a video', parameters: { seconds: 16 }, parameter: 'seconds' },
      {
        title: 'a length between the supported ones',
        parameters: { seconds: 6 },
        target: { model: 'kling-v2-6' },
        parameter: 'seconds',
      },
      { title: 'too long for O1', parameters: { seconds: 11 }, target: { model: 'kling-video-o1' }, parameter: 'seconds' },
      { title: 'a ratio that the model does not support', parameters: { aspect_ratio: '4:3' }, parameter: 'aspect_ratio' },
      { title: 'a resolution that the model does not support', parameters: { resolution: '2K' }, parameter: 'resolution' },
      { title: 'references', parameters: { reference_images: [dot] }, parameter: 'reference_images' },
      {
        title: 'eight references',
        parameters: { reference_images: Array.from({ length: 8 }, () => dot) },
        target: { model: 'kling-v3-omni' },
        parameter: 'reference_images',
      },
      {
        title: 'references beside a frame',
        parameters: { first_frame: dot, reference_images: [dot] },
        target: { model: 'kling-v1-6' },
        parameter: 'reference_images',
      },
      {
        title: 'a negative prompt for an omni model',
        parameters: { negative_prompt: 'fog' },
        target: { model: 'kling-v3-omni' },
        parameter: 'negative_prompt',
      },
      { title: 'sound at 720p', parameters: { audio: true }, target: { model: 'kling-v2-6' }, parameter: 'resolution' },
      {
        title: 'a last frame at 720p',
        parameters: { first_frame: dot, last_frame: dot },
        target: { model: 'kling-v2-5-turbo' },
        parameter: 'resolution',
      },
      {
        title: 'sound from a model without sound',
        parameters: { audio: true },
        target: { model: 'kling-v2-5-turbo' },
        parameter: 'audio',
      },
      { title: 'a seed for an image', parameters: { seed: 1 }, object: 'image', parameter: 'seed' },
      {
        title: 'two reference images for an image',
        parameters: { reference_images: [dot, dot] },
        object: 'image',
        parameter: 'reference_images',
      },
      {
        title: 'a negative prompt beside an image',
        parameters: { negative_prompt: 'rust', reference_images: [dot] },
        object: 'image',
        parameter: 'negative_prompt',
      },
    ],
    submitErrors,
    pollResponses: [
      { title: 'waiting', response: firstGenerationTask('submitted'), means: { state: 'queued' } },
      { title: 'running', response: firstGenerationTask('processing'), means: { state: 'running' } },
      {
        title: 'done',
        response: firstGenerationTask('succeed', {
          final_unit_deduction: '3',
          task_result: { videos: [{ url: imageUrl, watermark_url: 'https://example.com/b' }] },
        }),
        means: {
          state: 'succeeded',
          outputs: [{ contentType: 'video/mp4', location: { url: imageUrl } }],
          cost: { amount: 3, unit: 'units' },
        },
      },
      {
        title: 'done, with another spelling of the status',
        response: firstGenerationTask('succeeded', { task_result: { videos: [{ url: imageUrl }] } }),
        means: { state: 'succeeded' },
      },
      {
        title: 'done without a file',
        response: firstGenerationTask('succeed'),
        means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
      },
      {
        title: 'failed',
        response: firstGenerationTask('failed', { task_status_msg: 'it broke', final_unit_deduction: '1' }),
        means: {
          state: 'failed',
          code: 'upstream_failed',
          detail: 'it broke',
          retryable: false,
          cost: { amount: 1, unit: 'units' },
        },
      },
      {
        title: 'refused by the content policy',
        response: firstGenerationTask('failed', { task_status_msg: 'Failure to pass the risk control system' }),
        means: { state: 'failed', code: 'content_policy' },
      },
      { title: 'no such job', response: responseOf(404, 1203), means: 'again' },
      { title: 'a wrong key', response: responseOf(401, 1002), means: 'again' },
      { title: 'an error with HTTP 200', response: responseOf(200, 5000), means: 'again' },
      { title: 'no status', response: successOf({}), means: 'again' },
    ],
    unknownStatus: firstGenerationTask('contemplating'),
    findsLostJobs: true,
    cancels: false,
  })
})

describe('Kling, second generation', () => {
  describeDriver({
    driver: klingDriver,
    protocol: klingProtocol,
    credential: klingKey,
    target: { model: 'kling-3.0' },
    requests: [
      {
        title: 'a video from a prompt',
        parameters: { prompt: 'a kite over dunes', seconds: 8 },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/text-to-video/kling-3.0')
          expect(json).toEqual({
            contents: [{ type: 'prompt', text: 'a kite over dunes' }],
            settings: { resolution: '720p', duration: 8, aspect_ratio: '16:9', audio: 'off', multi_shot: false },
            options: {
              watermark_info: { enabled: false },
              callback_url: expect.stringContaining('/callbacks/'),
              external_task_id: tag,
            },
          })
        },
      },
      {
        title: 'a video between two frames, with sound',
        parameters: { prompt: 'it moves', first_frame: dot, last_frame: imageUrl, audio: true, watermark: true },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/image-to-video/kling-3.0')
          expect(json.contents.slice(1)).toEqual([
            { type: 'first_frame', url: base64 },
            { type: 'last_frame', url: imageUrl },
          ])
          expect(json.settings).toEqual({ resolution: '720p', duration: 5, audio: 'native', multi_shot: false })
          expect(json.options.watermark_info).toEqual({ enabled: true })
        },
      },
      {
        title: 'a video from references',
        parameters: { prompt: 'both', reference_images: [dot, imageUrl] },
        target: { model: 'kling-3.0-omni' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/omni-video/kling-3.0-omni')
          expect(json.contents.slice(1)).toEqual([
            { type: 'refer_image', url: base64 },
            { type: 'refer_image', url: imageUrl },
          ])
        },
      },
      {
        title: 'a video to a last frame whose resolution the route renames',
        parameters: { prompt: 'it moves', first_frame: dot, last_frame: imageUrl, resolution: '1080p' },
        target: { model: 'kling-2.6', parameters: { resolution: 'settings.resolution' } },
        expect: ({ json }) => expect(json.settings.resolution).toBe('1080p'),
      },
      {
        title: 'a video of Kling 3.0 Turbo, which always has sound',
        parameters: { prompt: 'a kite', audio: true },
        target: { model: 'kling-3.0-turbo' },
        expect: ({ json }) => expect(json.settings).not.toHaveProperty('audio'),
      },
      {
        title: "a video with the operator's fields",
        parameters: { prompt: 'a kite', seed: 3 },
        target: {
          parameters: { seed: 'settings.seed' },
          extra: { settings: { multi_shot: true }, options: { external_task_id: 'mine' } },
        },
        expect: ({ json }) => {
          expect(json.settings).toMatchObject({ seed: 3, multi_shot: true, duration: 5 })
          expect(json.options).toMatchObject({ external_task_id: tag, watermark_info: { enabled: false } })
        },
      },
    ],
    refusedRequests: [
      { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
      { title: 'a seed', parameters: { seed: 1 }, parameter: 'seed' },
      { title: 'too short a video', parameters: { seconds: 2 }, parameter: 'seconds' },
      {
        title: 'a length between the supported ones',
        parameters: { seconds: 6 },
        target: { model: 'kling-2.6' },
        parameter: 'seconds',
      },
      { title: 'references', parameters: { reference_images: [dot] }, parameter: 'reference_images' },
      {
        title: 'a last frame for Kling 3.0 Turbo',
        parameters: { first_frame: dot, last_frame: dot },
        target: { model: 'kling-3.0-turbo' },
        parameter: 'last_frame',
      },
      {
        title: 'a last frame at 720p',
        parameters: { first_frame: dot, last_frame: dot },
        target: { model: 'kling-2.6' },
        parameter: 'resolution',
      },
      {
        title: 'sound from Kling 2.5 Turbo',
        parameters: { audio: true },
        target: { model: 'kling-2.5-turbo' },
        parameter: 'audio',
      },
    ],
    submitErrors,
    pollResponses: [
      { title: 'waiting', response: secondGenerationTask('submitted'), means: { state: 'queued' } },
      { title: 'running', response: secondGenerationTask('processing'), means: { state: 'running' } },
      {
        title: 'done, with a cost in units',
        response: secondGenerationTask('succeeded', {
          outputs: [{ type: 'video', url: imageUrl }],
          billing: [{ charge_type: 'unit', package_type: 'video', amount: '3.0' }],
        }),
        means: { state: 'succeeded', cost: { amount: 3, unit: 'units' } },
      },
      {
        title: 'done, with a cost in money',
        response: secondGenerationTask('succeed', {
          outputs: [{ type: 'video', url: imageUrl }],
          billing: [{ charge_type: 'cash', amount: '0.42', currency: 'USD' }],
        }),
        means: { state: 'succeeded', cost: { amount: 0.42, unit: 'usd' } },
      },
      {
        title: 'failed',
        response: secondGenerationTask('failed', { message: 'it broke' }),
        means: { state: 'failed', code: 'upstream_failed', detail: 'it broke' },
      },
      {
        title: 'refused by the content policy',
        response: secondGenerationTask('failed', { message: 'risk control' }),
        means: { state: 'failed', code: 'content_policy' },
      },
      { title: 'no such job', response: successOf([]), means: 'again' },
      { title: 'a wrong key', response: responseOf(401, 1002), means: 'again' },
    ],
    unknownStatus: secondGenerationTask('contemplating'),
    findsLostJobs: true,
    cancels: false,
  })
})

const connectTo = (model: string) => openUpstream(klingDriver, klingProtocol, { credential: klingKey, model })

describe('the Kling driver', () => {
  const { signal } = new AbortController()

  it('polls of many jobs are batched, and a batch that is refused as too large is divided', async () => {
    await using connected = await connectTo('kling-3.0')
    const { driver, simulator } = connected
    const requests = Array.from({ length: 25 }, () => requestOf({ prompt: 'a kite' }))
    const operations = await Promise.all(requests.map((request) => driver.start(request, startContext)))
    const poll = () => Promise.all(operations.map((operation, index) => driver.poll(operation, requests[index]!, signal)))
    await poll()
    await poll()
    expect((await poll()).map(({ state }) => state)).toEqual(requests.map(() => 'succeeded'))
    // A poll for 20 jobs is rejected, and sent again as two polls for 10. The other five jobs
    // follow.
    expect(simulator.of('poll').length).toBeLessThanOrEqual(3 * 4)
    simulator.next('poll', responseOf(400, 1201))
    simulator.next('poll', responseOf(400, 1201))
    const settled = await Promise.allSettled(
      operations.slice(0, 2).map((operation) => driver.poll(operation, requests[0]!, signal)),
    )
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    simulator.next('poll', { status: 500 })
    await expect(
      Promise.all(operations.slice(0, 2).map((operation) => driver.poll(operation, requests[0]!, signal))),
    ).rejects.toThrow('500')
  })

  it('the watermarked video is used only for a task that requests a watermark', async () => {
    await using connected = await connectTo('kling-v3')
    const { driver, simulator } = connected
    simulator.moves = ['succeeded']
    for (const watermark of [true, false]) {
      const request = requestOf({ prompt: 'a kite', watermark })
      const outcome = await driver.poll(await driver.start(request, startContext), request, signal)
      expect(JSON.stringify(outcome).includes('marked-')).toBe(watermark)
    }
  })

  it('a failed lookup does not report the job as missing', async () => {
    for (const model of ['kling-v3', 'kling-3.0']) {
      await using connected = await connectTo(model)
      const { driver, simulator } = connected
      for (const failure of [responseOf(500, 5000), responseOf(400, 1201), responseOf(401, 1004), successOf({})]) {
        simulator.next('find', failure)
        await expect(driver.find?.(requestOf({ prompt: 'a kite' }), signal)).rejects.toThrow()
      }
    }
  })

  it('a GIF in a data URI is refused before any request', async () => {
    await using connected = await connectTo('kling-v3')
    const gif = `data:image/gif;base64,${Buffer.from('GIF89a..........').toString('base64')}`
    await expect(connected.driver.start(requestOf({ prompt: 'it moves', first_frame: gif }), startContext)).rejects.toMatchObject(
      {
        name: 'DriverRefusal',
        code: 'invalid_input',
      },
    )
    expect(connected.simulator.requests).toHaveLength(0)
  })

  it('a valid credential is an API key or a pair of keys without spaces', () => {
    const credentials = ['api-key-kling-1', 'AK:SK', '', 'AK:', ':SK', 'AK:SK:more', 'two words']
    expect(credentials.filter((credential) => klingDriver.credential.isValid?.(credential))).toEqual(['api-key-kling-1', 'AK:SK'])
  })

  it('a callback is not trusted, and a probe creates no job and reports a wrong key', async () => {
    await using connected = await connectTo('kling-3.0')
    const { driver, simulator, target, tools } = connected
    const callback = { method: 'POST', url: 'https://gate.example/callbacks', headers: {}, body: Buffer.from('{}') }
    expect(await driver.verifyCallback?.(callback)).toEqual({ trust: 'unsigned' })
    await klingDriver.probe?.(target, tools, signal)
    await expect(klingDriver.probe?.({ ...target, credential: 'AK:SK' }, tools, signal)).rejects.toThrow('1002')
    expect(simulator.jobs).toHaveLength(0)
  })
})
