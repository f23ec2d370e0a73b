import { describe, expect, it } from 'vitest'
import { minimaxDriver } from '../../src/drivers/minimax/minimax-driver.ts'
import { dot, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { minimaxKey, minimaxProtocol } from './minimax.protocol.ts'
import { startContext } from '../start-context.ts'

const imageUrl = 'https://example.com/a.png'
const callback = expect.stringContaining('/callbacks/')

/** A response in the older request format, which always has HTTP status 200. */
const responseOf = (code: number, fields = {}, message = 'said so') => ({
  status: 200,
  json: { ...fields, base_resp: { status_code: code, status_msg: message } },
})
const hailuoTask = (status: string, fields = {}, code = 0) => responseOf(code, { task_id: 'job-1', status, ...fields })

/**
 * A refusal in the newer request format: it has the error's HTTP status, and its code in the
 * message.
 */
const refusedResponse = (status: number, code: number | null, message = 'said so', headers = {}) => ({
  status,
  headers,
  json: {
    type: 'error',
    error: { type: 'x', message: code === null ? message : `${message} (${code})`, http_code: String(status) },
  },
})
const h3Task = (status: string, fields = {}) => ({
  status: 200,
  json: { task: { id: 'job-1', status, usage: {}, ...fields } },
})

describe('MiniMax Hailuo', () => {
  describeDriver({
    driver: minimaxDriver,
    protocol: minimaxProtocol,
    credential: minimaxKey,
    target: { model: 'MiniMax-Hailuo-02' },
    requests: [
      {
        title: 'a video from a prompt',
        parameters: { prompt: 'a kite over dunes', seconds: 6, resolution: '768p' },
        expect: ({ url, json, headers }) => {
          expect(url.pathname).toBe('/v1/video_generation')
          expect(headers['authorization']).toBe(`Bearer ${minimaxKey}`)
          expect(json).toEqual({
            model: 'MiniMax-Hailuo-02',
            prompt: 'a kite over dunes',
            prompt_optimizer: false,
            duration: 6,
            resolution: '768P',
            callback_url: callback,
          })
        },
      },
      {
        title: 'a video between two frames, with a watermark',
        parameters: {
          prompt: 'it moves',
          first_frame: dot,
          last_frame: imageUrl,
          seconds: 6,
          resolution: '1080p',
          aspect_ratio: '3:4',
          watermark: true,
        },
        expect: ({ json }) =>
          expect(json).toMatchObject({
            first_frame_image: dot,
            last_frame_image: imageUrl,
            resolution: '1080P',
            aigc_watermark: true,
          }),
      },
      {
        title: 'a video of I2V-01-live, which has one length and resolution',
        parameters: { prompt: 'it moves', first_frame: dot, seconds: 6, resolution: '720p' },
        target: { model: 'I2V-01-live' },
        expect: ({ json }) => {
          expect(json).not.toHaveProperty('duration')
          expect(json).not.toHaveProperty('resolution')
        },
      },
      {
        title: 'a video of a character',
        parameters: { prompt: 'she waves', reference_images: [imageUrl], seconds: 6, resolution: '720p' },
        target: { model: 'S2V-01' },
        expect: ({ json }) => expect(json.subject_reference).toEqual([{ type: 'character', image: [imageUrl] }]),
      },
      {
        title: "a video with the operator's fields",
        parameters: { prompt: 'a kite', seconds: 6, resolution: '768p', watermark: true },
        target: { parameters: { watermark: 'mark' }, extra: { prompt_optimizer: true } },
        expect: ({ json }) => {
          expect(json).toMatchObject({ mark: true, prompt_optimizer: true })
          expect(json).not.toHaveProperty('aigc_watermark')
        },
      },
      {
        title: 'an image from a prompt',
        parameters: { prompt: 'a tin robot', seed: 3 },
        request: { object: 'image', size: { width: 1360, height: 768 } },
        target: { model: 'image-01' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v1/image_generation')
          expect(json).toEqual({
            model: 'image-01',
            prompt: 'a tin robot',
            width: 1360,
            height: 768,
            seed: 3,
            n: 1,
            prompt_optimizer: false,
            response_format: 'url',
          })
        },
      },
      {
        title: 'an image of a character, at an aspect ratio',
        parameters: { prompt: 'she waves', reference_images: [dot], aspect_ratio: '21:9' },
        request: { object: 'image' },
        target: { model: 'image-01-live' },
        expect: ({ json }) =>
          expect(json).toMatchObject({ aspect_ratio: '21:9', subject_reference: [{ type: 'character', image_file: dot }] }),
      },
    ],
    refusedRequests: [
      { title: 'a length between two supported lengths', parameters: { seconds: 5, resolution: '768p' }, parameter: 'seconds' },
      { title: 'ten seconds at 1080p', parameters: { seconds: 10, resolution: '1080p' }, parameter: 'seconds' },
      {
        title: 'a resolution that the model does not support',
        parameters: { seconds: 6, resolution: '720p' },
        parameter: 'resolution',
      },
      {
        title: 'an aspect ratio for a video from a prompt',
        parameters: { seconds: 6, resolution: '768p', aspect_ratio: '9:16' },
        parameter: 'aspect_ratio',
      },
      { title: 'a seed', parameters: { seed: 1 }, parameter: 'seed' },
      { title: 'sound', parameters: { audio: true }, parameter: 'audio' },
      { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
      { title: 'references', parameters: { reference_images: [dot] }, parameter: 'reference_images' },
      {
        title: 'a last frame for Hailuo 2.3',
        parameters: { first_frame: dot, last_frame: dot },
        target: { model: 'MiniMax-Hailuo-2.3' },
        parameter: 'last_frame',
      },
      {
        title: 'a prompt alone for Hailuo 2.3 Fast',
        parameters: { seconds: 6, resolution: '768p' },
        target: { model: 'MiniMax-Hailuo-2.3-Fast' },
        parameter: 'first_frame',
      },
      {
        title: 'two characters',
        parameters: { seconds: 6, resolution: '720p', reference_images: [dot, dot] },
        target: { model: 'S2V-01' },
        parameter: 'reference_images',
      },
      {
        title: 'two reference images for an image',
        parameters: { reference_images: [dot, dot] },
        object: 'image',
        parameter: 'reference_images',
      },
      { title: 'a large image at a ratio', parameters: { resolution: '2K' }, object: 'image', parameter: 'resolution' },
      {
        title: 'a negative prompt for an image',
        parameters: { negative_prompt: 'rust' },
        object: 'image',
        target: { model: 'image-01' },
        parameter: 'negative_prompt',
      },
    ],
    submitErrors: [
      ...[1002, 1039, 1041, 2045, 2056].map((code) => ({
        title: `${code}, too much`,
        response: responseOf(code),
        means: 'throttled' as const,
      })),
      ...[1004, 2049, 1008].map((code) => ({
        title: `${code}, key or balance`,
        response: responseOf(code),
        means: 'credential unavailable' as const,
      })),
      ...[2061, 1028, 1030].map((code) => ({
        title: `${code}, not in the plan`,
        response: responseOf(code),
        means: 'route unavailable' as const,
      })),
      { title: '1026, refused content', response: responseOf(1026), means: 'content_policy' },
      { title: '1042, invisible characters', response: responseOf(1042), means: 'invalid_input' },
      { title: '2013, a bad field', response: responseOf(2013), means: 'invalid_input' },
      {
        title: '2013, the callback address',
        response: responseOf(2013, {}, 'fail to check callback url'),
        means: 'route unavailable',
      },
      ...[1000, 1001, 1013, 1024, 1033].map((code) => ({
        title: `${code}, an internal error of the provider`,
        response: responseOf(code),
        means: 'unknown' as const,
      })),
      { title: 'an undocumented code', response: responseOf(4711), means: 'unknown' },
      { title: 'success without an id', response: responseOf(0), means: 'unknown' },
      { title: 'an id that cannot be part of a URL', response: responseOf(0, { task_id: '..' }), means: 'unknown' },
      { title: 'an error page of a proxy', response: { status: 502, bytes: Buffer.from('<html>') }, means: 'unknown' },
      { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
    ],
    pollResponses: [
      { title: 'preparing', response: hailuoTask('Preparing'), means: { state: 'queued' } },
      { title: 'waiting', response: hailuoTask('Queueing'), means: { state: 'queued' } },
      { title: 'running', response: hailuoTask('Processing'), means: { state: 'running' } },
      {
        title: 'done',
        response: hailuoTask('Success', { file_id: '2052', video_width: 1366, video_height: 768 }),
        means: { state: 'succeeded', outputs: [{ contentType: 'video/mp4', location: { file: '2052' } }] },
      },
      {
        title: 'done, with a number as the id of the file',
        response: hailuoTask('success', { file_id: 2052 }),
        means: { state: 'succeeded' },
      },
      {
        title: 'done without a file',
        response: hailuoTask('Success', { file_id: '' }),
        means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
      },
      {
        title: 'a video that is refused',
        response: hailuoTask('Fail', {}, 1027),
        means: { state: 'failed', code: 'content_policy' },
      },
      {
        title: 'a prompt refused by the content policy',
        response: responseOf(1026),
        means: { state: 'failed', code: 'content_policy' },
      },
      {
        title: 'failed',
        response: hailuoTask('Fail', {}, 1000),
        means: { state: 'failed', code: 'upstream_failed', detail: 'HTTP 200, 1000: said so', retryable: false },
      },
      {
        title: 'failed for a bad field',
        response: hailuoTask('Fail', {}, 2013),
        means: { state: 'failed', code: 'invalid_input' },
      },
      { title: 'too many polls', response: responseOf(1002), means: 'again' },
      { title: 'a wrong key', response: responseOf(1004), means: 'again' },
      { title: 'a missing task', response: responseOf(2013, {}, 'invalid task_id'), means: 'again' },
      { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
    ],
    unknownStatus: hailuoTask('Contemplating'),
    findsLostJobs: false,
    cancels: false,
  })
})

describe('MiniMax H3', () => {
  describeDriver({
    driver: minimaxDriver,
    protocol: minimaxProtocol,
    credential: minimaxKey,
    target: { model: 'MiniMax-H3' },
    requests: [
      {
        title: 'a video from a prompt',
        parameters: { prompt: 'a kite over dunes', seconds: 8, resolution: '2K' },
        expect: ({ url, json }) => {
          expect(url.pathname).toBe('/v2/video_generation')
          expect(json).toEqual({
            model: 'MiniMax-H3',
            content: [{ type: 'text', text: 'a kite over dunes' }],
            resolution: '2K',
            duration: 8,
            ratio: '16:9',
            aigc_watermark: false,
            callback_url: callback,
          })
        },
      },
      {
        title: 'a video between two frames, with its sound',
        parameters: {
          prompt: 'it moves',
          first_frame: dot,
          last_frame: imageUrl,
          resolution: '768p',
          audio: true,
          watermark: true,
        },
        expect: ({ json }) => {
          expect(json.content.slice(1)).toEqual([
            { type: 'image_url', image_url: { url: dot }, role: 'first_frame' },
            { type: 'image_url', image_url: { url: imageUrl }, role: 'last_frame' },
          ])
          expect(json).toMatchObject({ ratio: 'adaptive', aigc_watermark: true })
        },
      },
      {
        title: 'a video of H3 Max from references',
        parameters: { prompt: 'both', reference_images: [dot, imageUrl], resolution: '480p', aspect_ratio: '9:16' },
        target: { model: 'MiniMax-H3-Max' },
        expect: ({ json }) => {
          expect(json.content.slice(1)).toEqual([
            { type: 'image_url', image_url: { url: dot }, role: 'reference_image' },
            { type: 'image_url', image_url: { url: imageUrl }, role: 'reference_image' },
          ])
          expect(json).toMatchObject({ resolution: '480P', ratio: '9:16', extra: { prompt_expansion_mode: 'disabled' } })
        },
      },
      {
        title: 'a video of an unknown model, with renamed and additional fields of the route',
        parameters: { prompt: 'a kite', seconds: 60, seed: 3, resolution: '4K' },
        target: { model: 'MiniMax-H4', parameters: { seed: 'seed' }, extra: { callback_url: imageUrl } },
        expect: ({ json }) => expect(json).toMatchObject({ seed: 3, duration: 60, resolution: '4K', callback_url: imageUrl }),
      },
    ],
    refusedRequests: [
      { title: 'too short a video', parameters: { seconds: 3, resolution: '768p' }, parameter: 'seconds' },
      {
        title: 'too short for H3 Max',
        parameters: { seconds: 4, resolution: '768p' },
        target: { model: 'MiniMax-H3-Max' },
        parameter: 'seconds',
      },
      { title: 'a resolution that the model does not support', parameters: { resolution: '1080p' }, parameter: 'resolution' },
      {
        title: 'a ratio that the model does not support',
        parameters: { resolution: '768p', aspect_ratio: '3:2' },
        parameter: 'aspect_ratio',
      },
      {
        title: 'references beside a frame',
        parameters: { resolution: '768p', first_frame: dot, reference_images: [dot] },
        parameter: 'reference_images',
      },
      {
        title: 'ten references',
        parameters: { resolution: '768p', reference_images: Array.from({ length: 10 }, () => dot) },
        parameter: 'reference_images',
      },
      { title: 'a seed', parameters: { seed: 1 }, parameter: 'seed' },
      { title: 'a negative prompt', parameters: { negative_prompt: 'fog' }, parameter: 'negative_prompt' },
    ],
    submitErrors: [
      { title: '1002, too many requests', response: refusedResponse(429, 1002), means: 'throttled' },
      {
        title: '1002, too many requests, with Retry-After',
        response: refusedResponse(429, 1002, 'wait', { 'retry-after': '5' }),
        means: { throttledForMs: 5000 },
      },
      { title: 'HTTP 429 alone', response: refusedResponse(429, null), means: 'throttled' },
      { title: '1004, a wrong key', response: refusedResponse(401, 1004), means: 'credential unavailable' },
      { title: '1008, no balance', response: refusedResponse(402, 1008), means: 'credential unavailable' },
      { title: 'HTTP 402 alone', response: refusedResponse(402, null), means: 'credential unavailable' },
      { title: '1026, refused content', response: refusedResponse(422, 1026), means: 'content_policy' },
      { title: '2013, a bad field', response: refusedResponse(400, 2013), means: 'invalid_input' },
      {
        title: '2013, the callback address',
        response: refusedResponse(400, 2013, 'fail to check callback url'),
        means: 'route unavailable',
      },
      { title: '1000, an internal error of the provider', response: refusedResponse(500, 1000), means: 'unknown' },
      { title: 'an overload', response: refusedResponse(529, null), means: 'unknown' },
      { title: 'a refusal in the older format', response: responseOf(1002), means: 'throttled' },
      { title: 'success without an id', response: { status: 200, json: {} }, means: 'unknown' },
      { title: 'an id that cannot be part of a URL', response: { status: 200, json: { task_id: '..' } }, means: 'unknown' },
    ],
    pollResponses: [
      { title: 'waiting', response: h3Task('queued'), means: { state: 'queued' } },
      { title: 'running', response: h3Task('running'), means: { state: 'running' } },
      {
        title: 'done',
        response: h3Task('succeeded', {
          content: { url: imageUrl },
          usage: { total_seconds: 5, input_seconds: 0, output_seconds: 5 },
        }),
        means: {
          state: 'succeeded',
          outputs: [{ contentType: 'video/mp4', location: { url: imageUrl } }],
          cost: { amount: 5, unit: 'seconds' },
        },
      },
      {
        title: 'done without a file',
        response: h3Task('succeeded'),
        means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
      },
      {
        title: 'failed',
        response: h3Task('failed', { error: { code: '1000', message: 'it broke' } }),
        means: { state: 'failed', code: 'upstream_failed', detail: 'HTTP 200, 1000: it broke' },
      },
      {
        title: 'refused by the content policy',
        response: h3Task('failed', { error: { code: '1026', message: 'no' } }),
        means: { state: 'failed', code: 'content_policy' },
      },
      {
        title: 'a video that is refused',
        response: h3Task('failed', { error: { code: '1027', message: 'no' } }),
        means: { state: 'failed', code: 'content_policy' },
      },
      {
        title: 'cancelled by another client',
        response: h3Task('cancelled'),
        means: { state: 'failed', code: 'upstream_failed' },
      },
      { title: 'expired', response: h3Task('expired'), means: { state: 'failed', code: 'upstream_timeout' } },
      { title: 'a missing task', response: refusedResponse(400, 2013, 'invalid task_id'), means: 'again' },
      { title: 'a wrong key', response: refusedResponse(401, 1004), means: 'again' },
      { title: 'no task', response: { status: 200, json: {} }, means: 'again' },
    ],
    unknownStatus: h3Task('contemplating'),
    findsLostJobs: false,
    cancels: true,
  })
})

const connectTo = (model: string) => openUpstream(minimaxDriver, minimaxProtocol, { credential: minimaxKey, model })

const callbackOf = (body: string) => ({
  method: 'POST',
  url: 'https://gate.example/callbacks',
  headers: {},
  body: Buffer.from(body),
})

describe('the MiniMax driver', () => {
  const { signal } = new AbortController()

  it('the response to a callback contains its challenge, and the content of the callback is not trusted', async () => {
    await using connected = await connectTo('MiniMax-H3')
    const { driver } = connected
    expect(await driver.verifyCallback?.(callbackOf('{"challenge":"abc123"}'))).toEqual({
      trust: 'unsigned',
      reply: { challenge: 'abc123' },
    })
    expect(await driver.verifyCallback?.(callbackOf('{"task_id":"job-1","status":"success"}'))).toEqual({ trust: 'unsigned' })
    expect(await driver.verifyCallback?.(callbackOf('no JSON'))).toEqual({ trust: 'unsigned' })
  })

  it('polls of many H3 tasks are batched', async () => {
    await using connected = await connectTo('MiniMax-H3')
    const { driver, simulator } = connected
    simulator.moves = ['succeeded']
    const requests = Array.from({ length: 3 }, () => requestOf({ prompt: 'a kite', resolution: '768p' }))
    const operations = await Promise.all(requests.map((request) => driver.start(request, startContext)))
    const outcomes = await Promise.all(operations.map((operation, index) => driver.poll(operation, requests[index]!, signal)))
    expect(outcomes.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(simulator.of('poll')).toHaveLength(1)
  })

  it('each download requests a new URL of the file', async () => {
    await using connected = await connectTo('MiniMax-Hailuo-02')
    const { driver, simulator } = connected
    simulator.moves = ['succeeded']
    const request = requestOf({ prompt: 'a kite', seconds: 6, resolution: '768p' })
    const outcome = await driver.poll(await driver.start(request, startContext), request, signal)
    if (outcome.state !== 'succeeded') throw new Error('the job did not succeed')
    simulator.next('poll', responseOf(1000))
    await expect(driver.fetchOutput(outcome.outputs[0], signal)).rejects.toThrow('1000')
    for (let downloads = 0; downloads < 2; downloads++) (await driver.fetchOutput(outcome.outputs[0], signal)).destroy()
    expect(simulator.requests.filter(({ url }) => url.pathname === '/v1/files/retrieve')).toHaveLength(3)
  })

  it.each([
    [503, 'OutputUnavailable'],
    [429, 'OutputUnavailable'],
    [404, 'Error'],
  ])('a file query that returns %i is rejected with %s', async (status, name) => {
    await using connected = await connectTo('MiniMax-Hailuo-02')
    connected.simulator.next('poll', { status, json: {} })
    const output = { contentType: 'video/mp4', location: { file: '1' } }
    await expect(connected.driver.fetchOutput(output, signal)).rejects.toMatchObject({ name })
  })

  it('a cancellation ends a queued task, and does not affect an ended one', async () => {
    await using connected = await connectTo('MiniMax-H3')
    const { driver, simulator } = connected
    const request = requestOf({ prompt: 'a kite', resolution: '768p' })
    const waiting = await driver.start(request, startContext)
    await driver.cancel?.(waiting, request)
    expect(await driver.poll(waiting, request, signal)).toMatchObject({ state: 'failed' })
    simulator.moves = ['succeeded']
    const endedOperation = await driver.start(request, startContext)
    await driver.cancel?.(endedOperation, request)
    expect(simulator.of('cancel')).toHaveLength(1)
    expect(await driver.poll(endedOperation, request, signal)).toMatchObject({ state: 'succeeded' })
  })

  it('an image with an unsupported side length is rejected, unless the route renames its resolution', async () => {
    await using connected = await connectTo('image-01')
    const refuse = (width: number, height: number, parameters = {}) =>
      minimaxDriver.refuse(requestOf({ resolution: '2K' }, { object: 'image', size: { width, height } }), {
        ...connected.target,
        parameters,
      })
    expect(refuse(2720, 1536)).toMatchObject({ parameter: 'resolution' })
    expect(refuse(2048, 2048)).toBeNull()
    expect(refuse(2720, 1536, { resolution: 'quality' })).toBeNull()
  })

  it('a response with no image fails the task as content_policy, one without a list leaves the acceptance unknown, and one without URLs counts as a completed job', async () => {
    await using connected = await connectTo('image-01')
    connected.simulator.next(
      'submit',
      responseOf(0, { data: { image_urls: [] }, metadata: { success_count: '0', failed_count: '1' } }),
    )
    const request = requestOf({ prompt: 'a tin robot' }, { object: 'image', size: { width: 1024, height: 1024 } })
    await expect(connected.driver.start(request, startContext)).rejects.toMatchObject({
      name: 'DriverRefusal',
      code: 'content_policy',
    })
    connected.simulator.next('submit', { status: 200, bytes: Buffer.from('<html>') })
    await expect(connected.driver.start(request, startContext)).rejects.toMatchObject({ name: 'AcceptanceUnknown' })
    connected.simulator.next('submit', responseOf(0, { data: { image_urls: [{ link: 'https://example.com/a.jpg' }] } }))
    const operation = await connected.driver.start(request, startContext)
    expect(await connected.driver.poll(operation, request, signal)).toMatchObject({ state: 'failed', isCompletedUpstream: true })
  })

  it('a probe of MiniMax creates no job and reports a wrong key', async () => {
    await using connected = await connectTo('MiniMax-H3')
    const { simulator, target, tools } = connected
    await minimaxDriver.probe?.(target, tools, signal)
    await expect(minimaxDriver.probe?.({ ...target, credential: 'another' }, tools, signal)).rejects.toThrow('1004')
    expect(simulator.jobs).toHaveLength(0)
  })
})
