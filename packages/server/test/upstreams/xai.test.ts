import { describe, expect, it } from 'vitest'
import { xaiDriver } from '../../src/drivers/xai/xai-driver.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { xaiKey, xaiProtocol } from './xai.protocol.ts'
import { startContext } from '../start-context.ts'

const remoteImage = 'https://example.com/last.png'
const { signal } = new AbortController()
const squareImage = { object: 'image' as const, size: { width: 1024, height: 1024 } }
const responseOf = (status: number, error: string, code = 'invalid-argument') => ({ status, json: { code, error } })
const refusalOf = (status: number, message: string) => ({
  status,
  json: { error: { message, type: 'x', param: null, code: 'y' } },
})
const jobOf = (fields: object, status = 200) => ({ status, json: fields })
const failedJob = (code: string, message = 'said so') => jobOf({ status: 'failed', error: { code, message } })
const url = 'https://vidgen.x.ai/a.mp4'
const usage = { cost_in_usd_ticks: 2_500_000_000 }
const moderated = {
  code: 'Client specified an invalid argument',
  error: 'Generated video rejected by content moderation.',
  usage,
}
const grokVideo = { target: { model: 'grok-imagine-video' } }
const grokImage = { target: { model: 'grok-imagine-image' } }

describeDriver({
  driver: xaiDriver,
  protocol: xaiProtocol,
  basePath: '/v1',
  credential: xaiKey,
  target: { model: 'grok-imagine-video-1.5' },
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a paper kite over dunes', seconds: 6, resolution: '1080p' },
      expect: ({ url: { pathname }, headers, json }) => {
        expect(pathname).toBe('/v1/videos/generations')
        expect(headers['authorization']).toBe(`Bearer ${xaiKey}`)
        expect(json).toEqual({
          model: 'grok-imagine-video-1.5',
          prompt: 'a paper kite over dunes',
          duration: 6,
          resolution: '1080p',
          aspect_ratio: '16:9',
        })
      },
    },
    {
      title: 'a video between two images, in the ratio of the first',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: remoteImage, aspect_ratio: '21:9' },
      expect: ({ json }) => {
        expect(json).toMatchObject({ image: { url: dot }, last_frame: { url: remoteImage } })
        expect('aspect_ratio' in json).toBe(false)
      },
    },
    {
      title: 'a video from references, whose sound is always on',
      parameters: { prompt: 'both', reference_images: [dot, remoteImage], audio: true },
      ...grokVideo,
      expect: ({ json }) => expect(json.reference_images).toEqual([{ url: dot }, { url: remoteImage }]),
    },
    {
      title: "a video with the operator's fields",
      parameters: { prompt: 'it moves', seconds: 5 },
      target: { model: 'grok-imagine-next', parameters: { audio: 'generate_audio' }, extra: { user: 'u-1' } },
      expect: ({ json }) => expect(json).toMatchObject({ generate_audio: false, user: 'u-1' }),
    },
    {
      title: 'an image from a prompt',
      parameters: { prompt: 'a tin robot', aspect_ratio: '21:9', resolution: '2K' },
      request: squareImage,
      ...grokImage,
      expect: ({ url: { pathname }, json }) => {
        expect(pathname).toBe('/v1/images/generations')
        expect(json).toEqual({
          model: 'grok-imagine-image',
          prompt: 'a tin robot',
          aspect_ratio: '21:9',
          resolution: '2k',
          n: 1,
          response_format: 'url',
          deferred: true,
        })
      },
    },
    {
      title: 'an image from a reference image',
      parameters: { prompt: 'as a drawing', reference_images: [dot] },
      request: squareImage,
      ...grokImage,
      expect: ({ url: { pathname }, json }) => {
        expect(pathname).toBe('/v1/images/edits')
        expect(json.image).toEqual({ url: dot })
      },
    },
    {
      title: 'an image from reference images',
      parameters: { prompt: 'both', reference_images: [dot, remoteImage] },
      request: squareImage,
      ...grokImage,
      expect: ({ json }) => expect(json.images).toEqual([{ url: dot }, { url: remoteImage }]),
    },
    {
      title: 'an image in the response to the submit, as a URL',
      parameters: { prompt: 'a tin robot' },
      request: squareImage,
      target: { model: 'grok-imagine-image', extra: { deferred: false } },
      expect: ({ json }) => expect(json.deferred).toBe(false),
    },
    {
      title: 'an image in the response to the submit, as bytes',
      parameters: { prompt: 'a tin robot' },
      request: squareImage,
      target: { model: 'grok-imagine-image', extra: { deferred: false, response_format: 'b64_json' } },
      expect: ({ json }) => expect(json.response_format).toBe('b64_json'),
    },
  ],
  refusedRequests: [
    { title: 'a negative prompt', parameters: { prompt: 'a kite', negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    { title: 'a seed', parameters: { prompt: 'a kite', seed: 1 }, parameter: 'seed' },
    { title: 'a watermark', parameters: { prompt: 'a kite', watermark: true }, parameter: 'watermark' },
    { title: 'no prompt', parameters: { first_frame: dot }, parameter: 'prompt' },
    { title: 'a length that the model does not support', parameters: { prompt: 'a kite', seconds: 16 }, parameter: 'seconds' },
    {
      title: 'a length that is not supported with references',
      parameters: { prompt: 'a kite', seconds: 11, reference_images: [dot] },
      parameter: 'seconds',
    },
    {
      title: 'a size that the model does not support',
      parameters: { prompt: 'a kite', resolution: '540p' },
      parameter: 'resolution',
    },
    {
      title: 'a resolution that only 1.5 supports',
      parameters: { prompt: 'a kite', resolution: '1080p' },
      ...grokVideo,
      parameter: 'resolution',
    },
    {
      title: 'a size that is not supported with references',
      parameters: { prompt: 'a kite', resolution: '1080p', reference_images: [dot] },
      parameter: 'resolution',
    },
    {
      title: 'a ratio that the model does not support',
      parameters: { prompt: 'a kite', aspect_ratio: '21:9' },
      parameter: 'aspect_ratio',
    },
    {
      title: 'too many references',
      parameters: { prompt: 'a kite', reference_images: Array.from({ length: 8 }, () => dot) },
      parameter: 'reference_images',
    },
    {
      title: 'references beside frames',
      parameters: { prompt: 'a kite', first_frame: dot, reference_images: [dot] },
      parameter: 'reference_images',
    },
    { title: 'a last frame alone', parameters: { prompt: 'a kite', last_frame: dot }, parameter: 'last_frame' },
    {
      title: 'a last frame for grok-imagine-video',
      parameters: { prompt: 'a kite', first_frame: dot, last_frame: dot },
      ...grokVideo,
      parameter: 'last_frame',
    },
    {
      title: 'too many reference images for an image',
      parameters: { prompt: 'a kite', reference_images: Array.from({ length: 6 }, () => dot) },
      object: 'image',
      parameter: 'reference_images',
    },
    { title: 'a seed for an image', parameters: { prompt: 'a kite', seed: 1 }, object: 'image', parameter: 'seed' },
  ],
  submitErrors: [
    { title: 'a bad field', response: responseOf(400, 'duration: out of range'), means: 'invalid_input' },
    {
      title: 'a bad field, in the other error format',
      response: refusalOf(422, 'aspect_ratio: unknown variant'),
      means: 'invalid_input',
    },
    { title: 'a wrong key', response: responseOf(400, 'Incorrect API key provided: xa***ey'), means: 'credential unavailable' },
    {
      title: 'a team with zero data retention',
      response: responseOf(400, 'Zero Data Retention teams must provide output.upload_url for video generation.'),
      means: 'route unavailable',
    },
    {
      title: 'a refusal of the prompt',
      response: responseOf(400, 'Prompt rejected by content moderation.'),
      means: 'content_policy',
    },
    {
      title: 'another refusal of the prompt',
      response: refusalOf(403, 'This violates our usage policies'),
      means: 'content_policy',
    },
    { title: 'no key', response: refusalOf(401, 'who are you?'), means: 'credential unavailable' },
    { title: 'a blocked team', response: refusalOf(403, 'Your team is blocked'), means: 'route unavailable' },
    { title: 'an unknown model', response: refusalOf(404, 'The model does not exist'), means: 'route unavailable' },
    { title: 'a wrong method', response: { status: 405 }, means: 'route unavailable' },
    { title: 'too large', response: { status: 413 }, means: 'invalid_input' },
    { title: 'too many requests', response: refusalOf(429, 'slow down'), means: 'throttled' },
    {
      title: 'too many requests, with Retry-After',
      response: { ...refusalOf(429, 'slow down'), headers: { 'retry-after': '7' } },
      means: { throttledForMs: 7000 },
    },
    { title: 'a timeout', response: { status: 408 }, means: 'unknown' },
    ...[500, 502, 503, 504, 529].map((status) => ({ title: `HTTP ${status}`, response: { status }, means: 'unknown' as const })),
    {
      title: 'an error with status 200',
      response: responseOf(200, 'The service is currently unavailable', 'The service is currently unavailable'),
      means: 'unknown',
    },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { request_id: '..' } }, means: 'unknown' },
    { title: 'an HTML page with status 200', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
  ],
  pollResponses: [
    { title: '202 without a body', response: { status: 202, bytes: Buffer.alloc(0) }, means: { state: 'running' } },
    {
      title: '202 with a progress',
      response: jobOf({ status: 'pending', progress: 40 }, 202),
      means: { state: 'running', progress: 40 },
    },
    {
      title: '202 with a progress of 100',
      response: jobOf({ status: 'pending', progress: 100 }, 202),
      means: { progress: 99 },
    },
    { title: 'pending', response: jobOf({ status: 'pending' }), means: { state: 'running' } },
    {
      title: 'done',
      response: jobOf({ status: 'done', video: { url, duration: 6, respect_moderation: true }, usage }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url } }],
        cost: { amount: 0.25, unit: 'usd' },
      },
    },
    { title: 'done, without a status', response: jobOf({ video: { url } }), means: { state: 'succeeded' } },
    {
      title: 'done, but withheld by the moderation',
      response: jobOf({ status: 'done', video: { url: '', respect_moderation: false }, usage }),
      means: { state: 'failed', code: 'content_policy', cost: { amount: 0.25, unit: 'usd' } },
    },
    {
      title: 'done, but withheld by the moderation, with a URL',
      response: jobOf({ status: 'done', video: { url, respect_moderation: false } }),
      means: { code: 'content_policy' },
    },
    {
      title: 'done without a result',
      response: jobOf({ status: 'done', video: {} }),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'a refusal that is charged',
      response: jobOf(moderated, 400),
      means: { state: 'failed', code: 'content_policy', cost: { amount: 0.25, unit: 'usd' } },
    },
    { title: 'a bad argument', response: failedJob('invalid_argument'), means: { state: 'failed', code: 'invalid_input' } },
    {
      title: 'a refusal after the start',
      response: failedJob('permission_denied', 'rejected by content moderation'),
      means: { code: 'content_policy' },
    },
    ...['failed_precondition', 'permission_denied', 'service_unavailable', 'internal_error'].map((code) => ({
      title: code,
      response: failedJob(code),
      means: { state: 'failed' as const, code: 'upstream_failed' as const, detail: `HTTP 200, ${code}: said so` },
    })),
    {
      title: 'expired',
      response: jobOf({ status: 'expired' }),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    { title: 'a wrong key', response: responseOf(400, 'Incorrect API key provided: xa***ey'), means: 'again' },
    { title: 'not found', response: refusalOf(404, 'No deferred video'), means: 'again' },
    { title: 'overloaded', response: { status: 529 }, means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: jobOf({ status: 'contemplating' }),
  findsLostJobs: false,
  cancels: false,
})

const connectTo = (model: string, extra = {}) =>
  openUpstream(xaiDriver, xaiProtocol, { basePath: '/v1', credential: xaiKey, model, extra })

describe('xai: images', () => {
  const imageRequest = requestOf({ prompt: 'a tin robot' }, squareImage)

  it('the poll of an image distinguishes images that were withheld, that xAI could not store, and that are complete', async () => {
    await using connected = await connectTo('grok-imagine-image')
    const operation = await connected.driver.start(imageRequest, startContext)
    connected.simulator.next('poll', jobOf({ status: 'done', data: [{ url: '', respect_moderation: false }], usage }))
    expect(await connected.driver.poll(operation, imageRequest, signal)).toMatchObject({
      code: 'content_policy',
      cost: { amount: 0.25 },
    })
    connected.simulator.next('poll', jobOf({ status: 'done', data: [{ storage_error: 'no room' }] }))
    expect(await connected.driver.poll(operation, imageRequest, signal)).toMatchObject({
      code: 'upstream_failed',
      detail: 'no room',
    })
    connected.simulator.next(
      'poll',
      jobOf({ status: 'done', data: [{ url: 'https://imgen.x.ai/a.png', mime_type: 'image/png' }] }),
    )
    expect(await connected.driver.poll(operation, imageRequest, signal)).toMatchObject({
      state: 'succeeded',
      outputs: [{ contentType: 'image/png', location: { url: 'https://imgen.x.ai/a.png' } }],
    })
  })

  it('an image in the response to a submit is not polled and reports its cost, and a withheld image fails the start', async () => {
    await using connected = await connectTo('grok-imagine-image', { deferred: false })
    const operation = await connected.driver.start(imageRequest, startContext)
    expect(await connected.driver.poll(operation, imageRequest, signal)).toMatchObject({
      state: 'succeeded',
      cost: { amount: 0.02, unit: 'usd' },
    })
    expect(connected.simulator.of('poll')).toHaveLength(0)
    connected.simulator.next('submit', jobOf({ data: [{ url: '', respect_moderation: false }] }))
    await expect(connected.driver.start(imageRequest, startContext)).rejects.toMatchObject({
      name: 'DriverRefusal',
      code: 'content_policy',
    })
    connected.simulator.next('submit', jobOf({ data: [] }))
    await expect(connected.driver.start(imageRequest, startContext)).rejects.toMatchObject({ name: 'AcceptanceUnknown' })
  })
})

describe('xai: probe', () => {
  it('a probe of xAI accepts the key and reports a wrong key', async () => {
    await using connected = await connectTo('grok-imagine-video')
    await xaiDriver.probe?.(connected.target, connected.tools, signal)
    await expect(xaiDriver.probe?.({ ...connected.target, credential: 'wrong' }, connected.tools, signal)).rejects.toThrow('400')
  })
})
