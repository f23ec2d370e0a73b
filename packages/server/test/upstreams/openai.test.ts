import OpenAI from 'openai'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openaiDriver } from '../../src/drivers/openai/openai-driver.ts'
import { startContext } from '../start-context.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { readForm, Simulator } from './simulator.ts'

const responseOf = (status: number, code: string | null, message = 'said so', headers = {}) => ({
  status,
  headers,
  json: { error: { message, type: 'invalid_request_error', param: null, code } },
})
const videoResponse = (status: string, fields = {}) => ({
  status: 200,
  json: { id: 'job-1', object: 'video', status, ...fields },
})

const square = await dataUriOf(40, 40, '#3366cc')
/**
 * A mask that is white on the left and black on the right, with twice the width and height of its
 * image.
 */
const leftHalfMask = await dataUriOf(
  80,
  80,
  '#000',
  await sharp({ create: { width: 40, height: 80, channels: 3, background: '#fff' } })
    .png()
    .toBuffer(),
)

async function dataUriOf(width: number, height: number, background: string, overlay?: Buffer): Promise<string> {
  const plain = sharp({ create: { width, height, channels: 3, background } })
  const image = overlay === undefined ? plain : plain.composite([{ input: overlay, left: 0, top: 0 }])
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`
}

describeDriver({
  driver: openaiDriver,
  protocol: openaiProtocol,
  basePath: '/v1',
  credential: openaiKey,
  target: { model: 'sora-2' },
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', seconds: 8 },
      expect: ({ json, headers }) => {
        expect(json).toEqual({ model: 'sora-2', prompt: 'a kite over dunes', seconds: '8', size: '1280x720' })
        expect(headers['authorization']).toBe(`Bearer ${openaiKey}`)
      },
    },
    {
      title: 'a video from an image',
      parameters: { prompt: 'it moves', first_frame: dot },
      expect: ({ json }) => expect(json.input_reference).toEqual({ image_url: dot }),
    },
    {
      title: 'a video of a gateway with its own field names',
      parameters: { prompt: 'it moves', seconds: 7, audio: true, seed: 3, reference_images: [dot, 'https://example.com/a.png'] },
      target: {
        model: 'kling-v3',
        parameters: {
          seconds: 'duration',
          aspect_ratio: 'ratio',
          resolution: 'quality',
          audio: 'generate_audio',
          seed: 'seed',
          reference_images: 'images',
        },
        extra: { mode: 'pro' },
      },
      expect: ({ json }) =>
        expect(json).toEqual({
          model: 'kling-v3',
          prompt: 'it moves',
          duration: 7,
          ratio: '16:9',
          quality: '720p',
          generate_audio: true,
          seed: 3,
          images: [dot, 'https://example.com/a.png'],
          mode: 'pro',
        }),
    },
    {
      title: 'an image from a prompt',
      parameters: { prompt: 'a tin robot', aspect_ratio: '3:2', resolution: '1K' },
      request: { object: 'image', size: { width: 1536, height: 1024 } },
      target: { model: 'gpt-image-2' },
      expect: ({ url, json }) => {
        expect(url.pathname).toBe('/v1/images/generations')
        expect(json).toEqual({ model: 'gpt-image-2', prompt: 'a tin robot', size: '1536x1024', n: 1 })
      },
    },
    {
      title: 'an image from reference images',
      parameters: { prompt: 'both of them', reference_images: [dot, dot] },
      request: { object: 'image', size: { width: 1024, height: 1024 } },
      target: { model: 'gpt-image-2' },
      expect: async (submit) => {
        expect(submit.url.pathname).toBe('/v1/images/edits')
        const form = await readForm(submit)
        expect(form.get('prompt')).toBe('both of them')
        expect(form.getAll('image[]')).toHaveLength(2)
        expect((form.getAll('image[]')[1] as File).type).toBe('image/png')
        expect(form.has('mask')).toBe(false)
      },
    },
    {
      title: 'an image that changes where the mask is white',
      parameters: { prompt: 'a hat', reference_images: [square], mask: leftHalfMask },
      request: { object: 'image', size: { width: 1024, height: 1024 } },
      target: { model: 'gpt-image-2' },
      expect: async (submit) => {
        expect(submit.url.pathname).toBe('/v1/images/edits')
        const mask = (await readForm(submit)).get('mask') as File
        expect([mask.type, mask.name]).toEqual(['image/png', 'mask.png'])
        const { data, info } = await sharp(await mask.arrayBuffer())
          .raw()
          .toBuffer({ resolveWithObject: true })
        expect([info.width, info.height, info.channels]).toEqual([40, 40, 4])
        const alphaAt = (x: number) => data[4 * (20 * 40 + x) + 3]
        expect([alphaAt(2), alphaAt(38)]).toEqual([0, 255])
      },
    },
  ],
  refusedRequests: [
    { title: 'a mask without an image', parameters: { mask: dot }, object: 'image', parameter: 'mask' },
    { title: 'a last frame', parameters: { last_frame: dot }, parameter: 'last_frame' },
    { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    { title: 'a seed for an image', parameters: { seed: 1 }, object: 'image', parameter: 'seed' },
    { title: 'sound', parameters: { audio: true }, parameter: 'audio' },
    { title: 'reference images', parameters: { reference_images: [dot] }, parameter: 'reference_images' },
  ],
  submitErrors: [
    { title: 'a bad field', response: responseOf(400, 'invalid_value'), means: 'invalid_input' },
    { title: 'a refusal of the content', response: responseOf(400, 'moderation_blocked'), means: 'content_policy' },
    { title: 'another refusal of the content', response: responseOf(400, 'content_policy_violation'), means: 'content_policy' },
    { title: 'a wrong key', response: responseOf(401, 'invalid_api_key'), means: 'credential unavailable' },
    { title: 'an empty balance', response: responseOf(403, 'insufficient_user_quota'), means: 'credential unavailable' },
    { title: 'a missing permission', response: responseOf(403, 'insufficient_permissions'), means: 'route unavailable' },
    { title: 'an unknown model', response: responseOf(404, 'model_not_found'), means: 'route unavailable' },
    { title: 'too many requests', response: responseOf(429, 'rate_limit_exceeded'), means: 'throttled' },
    {
      title: 'too many requests, with Retry-After',
      response: responseOf(429, 'rate_limit_exceeded', 'slow down', { 'retry-after': '7' }),
      means: { throttledForMs: 7000 },
    },
    { title: 'no credits', response: responseOf(429, 'insufficient_quota'), means: 'credential unavailable' },
    { title: 'too large', response: responseOf(413, null), means: 'invalid_input' },
    { title: 'no free slot', response: responseOf(503, 'server_is_overloaded'), means: 'throttled' },
    { title: 'an internal error of the provider', response: responseOf(500, 'server_error'), means: 'unknown' },
    { title: 'an error page of a proxy', response: { status: 502, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'a timeout', response: responseOf(408, null), means: 'unknown' },
    { title: 'success without an id', response: { status: 200, json: {} }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { id: '..' } }, means: 'unknown' },
    { title: 'an HTML page with status 200', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
    { title: 'a redirect', response: { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, means: 'route unavailable' },
  ],
  pollResponses: [
    { title: 'waiting', response: videoResponse('queued'), means: { state: 'queued' } },
    {
      title: 'running, with a progress',
      response: videoResponse('in_progress', { progress: 42 }),
      means: { state: 'running', progress: 42 },
    },
    {
      title: 'half done, in the format of a gateway',
      response: videoResponse('PROCESSING', { progress: '42%' }),
      means: { state: 'running', progress: 42 },
    },
    {
      title: 'done, with a URL',
      response: videoResponse('SUCCESS', { metadata: { url: 'https://cdn.example.com/a.mp4' } }),
      means: { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: { url: 'https://cdn.example.com/a.mp4' } }] },
    },
    {
      title: 'failed',
      response: videoResponse('failed', { error: { code: 'internal_error', message: 'it broke' } }),
      means: { state: 'failed', code: 'upstream_failed', detail: 'HTTP 200, internal_error: it broke', retryable: false },
    },
    {
      title: 'refused by the content policy',
      response: videoResponse('failed', { error: { code: 'moderation_blocked', message: '' } }),
      means: { state: 'failed', code: 'content_policy' },
    },
    {
      title: 'failed, in the format of a gateway',
      response: videoResponse('FAILURE', { fail_reason: 'out of luck' }),
      means: { state: 'failed', code: 'upstream_failed' },
    },
    { title: 'not found yet', response: responseOf(404, 'not_found'), means: 'again' },
    { title: 'a wrong key', response: responseOf(401, 'invalid_api_key'), means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: videoResponse('contemplating'),
  findsLostJobs: false,
  cancels: false,
})

describe('a refused image', () => {
  const request = requestOf({ prompt: 'a tin robot' }, { object: 'image' })

  it.each([
    [
      { status: 200, json: { data: [] } },
      { name: 'DriverRefusal', code: 'content_policy' },
    ],
    [
      { status: 200, json: { data: [{ error: { code: 'content_policy_violation', message: 'blocked' } }] } },
      { name: 'DriverRefusal', code: 'content_policy' },
    ],
    [{ status: 200, json: { error: { message: 'try later' } } }, { name: 'AcceptanceUnknown' }],
    [{ status: 200, bytes: Buffer.from('<html>') }, { name: 'AcceptanceUnknown' }],
  ])('an image submit that gets %j is rejected with %j', async (response, expected) => {
    await using upstream = await openUpstream(openaiDriver, openaiProtocol, { basePath: '/v1', credential: openaiKey })
    upstream.simulator.next('submit', response)
    await expect(upstream.driver.start(request, startContext)).rejects.toMatchObject(expected)
  })

  it.each([{ data: [{ image: 'AAAA' }, { b64_json: null }] }, { data: ['AAAA'] }])(
    'a job with the response %j counts as completed, because its images are paid',
    async (json) => {
      await using upstream = await openUpstream(openaiDriver, openaiProtocol, { basePath: '/v1', credential: openaiKey })
      upstream.simulator.next('submit', { status: 200, json })
      const operation = await upstream.driver.start(request, startContext)
      const outcome = await upstream.driver.poll(operation, request, new AbortController().signal)
      expect(outcome).toMatchObject({ state: 'failed', code: 'upstream_failed', isCompletedUpstream: true })
    },
  )

  it.each([
    [responseOf(429, 'insufficient_quota'), { reason: 'unavailable', scope: 'credential' }],
    [responseOf(503, 'server_is_overloaded', 'later', { 'retry-after': '7' }), { reason: 'throttled', retryAfterMs: 7000 }],
  ])('an image submit that gets %j is reported as not accepted', async (refusal, expected) => {
    await using upstream = await openUpstream(openaiDriver, openaiProtocol, { basePath: '/v1', credential: openaiKey })
    upstream.simulator.next('submit', refusal)
    await expect(upstream.driver.start(request, startContext)).rejects.toMatchObject({ name: 'NotAccepted', ...expected })
  })
})

describe("OpenAI's own client", () => {
  it("OpenAI's own client gets a video and an image from the simulator", async () => {
    await using simulator = await Simulator.open(openaiProtocol)
    const client = new OpenAI({ apiKey: openaiKey, baseURL: `${simulator.origin}/v1`, maxRetries: 0 })
    const { id } = await client.videos.create({ model: 'sora-2', prompt: 'a kite over dunes', seconds: '4', size: '1280x720' })
    let status = 'queued'
    for (let polls = 0; polls < 5 && status !== 'completed'; polls++) ({ status } = await client.videos.retrieve(id))
    expect(status).toBe('completed')
    const content = await client.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(simulator.media)
    const image = await client.images.generate({ model: 'gpt-image-2', prompt: 'a tin robot', size: '1024x1024' })
    expect(image.data?.[0]?.b64_json).toBe(simulator.media.toString('base64'))
  })
})

it('a mask of another shape than its image is rejected with both sizes', async () => {
  const wide = await dataUriOf(80, 20, '#fff')
  const target = { basePath: '/v1', credential: openaiKey, model: 'gpt-image-2' }
  await using upstream = await openUpstream(openaiDriver, openaiProtocol, target)
  const request = requestOf({ prompt: 'a hat', reference_images: [square], mask: wide }, { object: 'image' })
  await expect(upstream.driver.start(request, startContext)).rejects.toMatchObject({
    name: 'DriverRefusal',
    message: 'mask measures 80 x 20 pixels; it must have the shape of reference_images/0, 40 x 40.',
  })
  expect(upstream.simulator.jobs).toEqual([])
})
