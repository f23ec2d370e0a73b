import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { veoDriver } from '../../src/drivers/veo/veo-driver.ts'
import { dot, type DriverSpec, requestOf, openUpstream } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { Simulator } from './simulator.ts'
import { geminiKey, geminiPath, geminiProtocol, serviceAccount, vertexPath, vertexProtocol, vertexToken } from './veo.protocol.ts'
import { startContext } from '../start-context.ts'

const base64 = dot.slice('data:image/png;base64,'.length)
const image = { bytesBase64Encoded: base64, mimeType: 'image/png' }
const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const { signal } = new AbortController()

const responseOf = (code: number, status: string, message = 'said so', details: object[] = []) => ({
  status: code,
  json: { error: { code, message, status, details } },
})
const operationOf = (fields: object) => ({ status: 200, json: { name: 'models/m/operations/job-1', ...fields } })
const completedWith = (response: object) => operationOf({ done: true, response })
const failedWith = (code: number, message: string) => operationOf({ done: true, error: { code, message } })
const infoOf = (type: string, fields: object) => [{ '@type': `type.googleapis.com/google.rpc.${type}`, ...fields }]

/** Parts of the specification that are the same in both formats. */
const sharedSpec: Pick<DriverSpec, 'driver' | 'submitErrors' | 'pollResponses' | 'unknownStatus' | 'findsLostJobs' | 'cancels'> =
  {
    driver: veoDriver,
    submitErrors: [
      { title: 'a bad field', response: responseOf(400, 'INVALID_ARGUMENT'), means: 'invalid_input' },
      {
        title: 'a refusal of the prompt',
        response: responseOf(400, 'INVALID_ARGUMENT', "words that violate Google's Responsible AI practices"),
        means: 'content_policy',
      },
      {
        title: 'a wrong key',
        response: responseOf(400, 'INVALID_ARGUMENT', 'API key not valid', infoOf('ErrorInfo', { reason: 'API_KEY_INVALID' })),
        means: 'credential unavailable',
      },
      {
        title: 'a region without the service',
        response: responseOf(400, 'FAILED_PRECONDITION'),
        means: 'credential unavailable',
      },
      { title: 'an expired token', response: responseOf(401, 'UNAUTHENTICATED'), means: 'credential unavailable' },
      {
        title: 'a missing permission',
        response: responseOf(403, 'PERMISSION_DENIED', 'by policy of the organization'),
        means: 'route unavailable',
      },
      { title: 'a model that was retired', response: responseOf(404, 'NOT_FOUND'), means: 'route unavailable' },
      { title: 'too many requests', response: responseOf(429, 'RESOURCE_EXHAUSTED'), means: 'throttled' },
      {
        title: 'too many requests, with RetryInfo',
        response: responseOf(429, 'RESOURCE_EXHAUSTED', 'slow down', infoOf('RetryInfo', { retryDelay: '34s' })),
        means: { throttledForMs: 34_000 },
      },
      {
        title: 'too many requests, with Retry-After',
        response: { ...responseOf(429, 'RESOURCE_EXHAUSTED'), headers: { 'retry-after': '7' } },
        means: { throttledForMs: 7000 },
      },
      { title: 'abandoned by the caller', response: responseOf(499, 'CANCELLED'), means: 'unknown' },
      { title: 'an internal error of the provider', response: responseOf(500, 'INTERNAL'), means: 'unknown' },
      { title: 'no free slot', response: responseOf(503, 'UNAVAILABLE'), means: 'unknown' },
      { title: 'a timeout', response: responseOf(504, 'DEADLINE_EXCEEDED'), means: 'unknown' },
      { title: 'success without a name', response: { status: 200, json: {} }, means: 'unknown' },
      {
        title: 'a name that cannot be part of a URL',
        response: { status: 200, json: { name: 'operations/..' } },
        means: 'unknown',
      },
      { title: 'an HTML page with status 200', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
    ],
    pollResponses: [
      { title: 'only a name', response: operationOf({}), means: { state: 'running' } },
      { title: 'not done', response: operationOf({ done: false, metadata: {} }), means: { state: 'running' } },
      {
        title: 'a video as bytes',
        response: completedWith({
          generateVideoResponse: { generatedSamples: [{ video: { encodedVideo: 'dmlkZW8=', encoding: 'video/mp4' } }] },
        }),
        means: { state: 'succeeded' },
      },
      {
        title: 'a video of a gateway that omits the outer object',
        response: completedWith({ generatedSamples: [{ video: { uri: 'https://files.example.com/a.mp4' } }] }),
        means: {
          state: 'succeeded',
          outputs: [{ contentType: 'video/mp4', location: { url: 'https://files.example.com/a.mp4' } }],
        },
      },
      {
        title: 'a video, and null as the error',
        response: operationOf({
          done: true,
          error: null,
          response: { generatedSamples: [{ video: { uri: 'https://files.example.com/a.mp4' } }] },
        }),
        means: { state: 'succeeded' },
      },
      {
        title: 'one video, and another one that was filtered out',
        response: completedWith({
          videos: [{ bytesBase64Encoded: 'dmlkZW8=', mimeType: 'video/mp4' }],
          raiMediaFilteredCount: 1,
        }),
        means: { state: 'succeeded' },
      },
      {
        title: 'a filtered video',
        response: completedWith({ generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['58061214'] } }),
        means: { state: 'failed', code: 'content_policy', detail: 'filtered: 58061214' },
      },
      {
        title: 'done without a video',
        response: completedWith({}),
        means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
      },
      {
        title: 'done without a response',
        response: operationOf({ done: true }),
        means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
      },
      {
        title: 'a video in a bucket',
        response: completedWith({ videos: [{ gcsUri: 'gs://a/b.mp4' }] }),
        means: { state: 'failed' },
      },
      {
        title: 'a bad argument',
        response: failedWith(3, 'no face was found'),
        means: { state: 'failed', code: 'invalid_input' },
      },
      {
        title: 'a refusal after the start',
        response: failedWith(3, 'violates our usage guidelines'),
        means: { code: 'content_policy' },
      },
      {
        title: 'an exhausted quota',
        response: failedWith(8, 'quota'),
        means: { state: 'failed', code: 'upstream_failed', detail: '8: quota' },
      },
      {
        title: 'an internal error of the provider',
        response: failedWith(13, 'it broke'),
        means: { state: 'failed', code: 'upstream_failed' },
      },
      { title: 'no free slot', response: failedWith(14, 'unavailable'), means: { state: 'failed', code: 'upstream_failed' } },
      { title: 'not found', response: responseOf(404, 'NOT_FOUND'), means: 'again' },
      { title: 'a wrong key', response: responseOf(403, 'PERMISSION_DENIED'), means: 'again' },
      { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
    ],
    unknownStatus: operationOf({ done: 'perhaps', state: 'contemplating' }),
    findsLostJobs: false,
    cancels: false,
  }

const refusedRequests: DriverSpec['refusedRequests'] = [
  { title: 'a watermark', parameters: { watermark: true, seconds: 8 }, parameter: 'watermark' },
  { title: 'a length that the model does not support', parameters: { seconds: 5 }, parameter: 'seconds' },
  {
    title: 'a ratio that the model does not support',
    parameters: { seconds: 8, aspect_ratio: '1:1' },
    parameter: 'aspect_ratio',
  },
  { title: 'a size that the model does not support', parameters: { seconds: 8, resolution: '480p' }, parameter: 'resolution' },
  { title: 'a last frame alone', parameters: { seconds: 8, last_frame: dot }, parameter: 'last_frame' },
  {
    title: 'references beside frames',
    parameters: { seconds: 8, first_frame: dot, reference_images: [dot] },
    parameter: 'reference_images',
  },
  { title: 'four references', parameters: { seconds: 8, reference_images: [dot, dot, dot, dot] }, parameter: 'reference_images' },
  { title: 'references for a video of six seconds', parameters: { seconds: 6, reference_images: [dot] }, parameter: 'seconds' },
  { title: 'an image in place of a video', parameters: {}, object: 'image', parameter: 'prompt' },
  {
    title: 'references for Veo 3.0',
    parameters: { seconds: 8, reference_images: [dot] },
    target: { model: 'veo-3.0-generate-001' },
    parameter: 'reference_images',
  },
]

const openVertex = (credential: string) =>
  openUpstream(veoDriver, vertexProtocol, { basePath: vertexPath, credential, model: 'veo-3.1-generate-001' })

const openGemini = () =>
  openUpstream(veoDriver, geminiProtocol, { basePath: geminiPath, credential: geminiKey, model: 'veo-3.1-generate-preview' })

describe('Veo on Vertex AI', () => {
  describeDriver({
    ...sharedSpec,
    protocol: vertexProtocol,
    basePath: vertexPath,
    credential: vertexToken,
    target: { model: 'veo-3.1-generate-001' },
    resultsComeInPolls: true,
    refusedRequests,
    requests: [
      {
        title: 'a silent video from a prompt',
        parameters: { prompt: 'a paper boat in rain', seconds: 6, resolution: '1080p', seed: 3, negative_prompt: 'fog' },
        expect: ({ url, headers, json }) => {
          expect(url.pathname).toBe(`${vertexPath}/publishers/google/models/veo-3.1-generate-001:predictLongRunning`)
          expect(headers['authorization']).toBe(`Bearer ${vertexToken}`)
          expect(json).toEqual({
            instances: [{ prompt: 'a paper boat in rain' }],
            parameters: {
              sampleCount: 1,
              aspectRatio: '16:9',
              resolution: '1080p',
              durationSeconds: 6,
              negativePrompt: 'fog',
              seed: 3,
              generateAudio: false,
            },
          })
        },
      },
      {
        title: 'a video with sound between two images',
        parameters: { prompt: 'it moves', seconds: 8, first_frame: dot, last_frame: dot, audio: true },
        expect: ({ json }) => {
          expect(json.instances).toEqual([{ prompt: 'it moves', image, lastFrame: image }])
          expect(json.parameters.generateAudio).toBe(true)
        },
      },
      {
        title: 'a video from references',
        parameters: { prompt: 'both', seconds: 8, reference_images: [dot, dot] },
        expect: ({ json }) =>
          expect(json.instances[0].referenceImages).toEqual([
            { image, referenceType: 'asset' },
            { image, referenceType: 'asset' },
          ]),
      },
      {
        title: "a video with the operator's fields",
        parameters: { prompt: 'it moves', seconds: 12 },
        target: { model: 'veo-9', extra: { parameters: { personGeneration: 'allow_adult' } } },
        expect: ({ json }) => expect(json.parameters).toMatchObject({ personGeneration: 'allow_adult', durationSeconds: 12 }),
      },
    ],
  })
})

describe('Veo on the Gemini API', () => {
  describeDriver({
    ...sharedSpec,
    protocol: geminiProtocol,
    basePath: geminiPath,
    credential: geminiKey,
    target: { model: 'veo-3.1-generate-preview' },
    refusedRequests: [
      ...refusedRequests,
      { title: 'a short video in 1080p', parameters: { seconds: 6, resolution: '1080p' }, parameter: 'seconds' },
    ],
    requests: [
      {
        title: 'a video from a prompt',
        parameters: { prompt: 'a paper boat in rain', seconds: 8 },
        expect: ({ url, headers, json }) => {
          expect(url.href).toMatch(/\/v1beta\/models\/veo-3\.1-generate-preview:predictLongRunning$/)
          expect(headers['x-goog-api-key']).toBe(geminiKey)
          expect(json).toEqual({
            instances: [{ prompt: 'a paper boat in rain' }],
            parameters: { sampleCount: 1, aspectRatio: '16:9', resolution: '720p', durationSeconds: 8 },
          })
        },
      },
      {
        title: 'a short video whose resolution the route renames',
        parameters: { prompt: 'a paper boat in rain', seconds: 6 },
        target: { parameters: { resolution: 'parameters.resolution' } },
        expect: ({ json }) =>
          expect(json.parameters).toEqual({ sampleCount: 1, aspectRatio: '16:9', resolution: '720p', durationSeconds: 6 }),
      },
      {
        title: 'a video from an image, with the sound that the model always adds',
        parameters: { prompt: 'it moves', seconds: 8, first_frame: dot, resolution: '1080p', audio: true },
        expect: ({ json }) => expect(json.instances[0].image).toEqual(image),
      },
    ],
  })

  it('a download follows a redirect without the key, to another host and to the host of the API', async () => {
    await using otherSimulator = await Simulator.open(geminiProtocol)
    await using connected = await openGemini()
    connected.simulator.next('result', { status: 302, headers: { location: `${otherSimulator.origin}/elsewhere/a.mp4` } })
    const output = { contentType: 'video/mp4', location: { path: '/files/job-1:download?alt=media' } }
    await expect(connected.driver.fetchOutput(output, signal)).rejects.toThrow()
    expect(otherSimulator.requests).toHaveLength(1)
    expect(JSON.stringify(otherSimulator.requests[0]?.headers)).not.toContain(geminiKey)
    expect(connected.simulator.of('result')[0]?.headers['x-goog-api-key']).toBe(geminiKey)
    connected.simulator.next('result', {
      status: 302,
      headers: { location: `${connected.simulator.origin}/v1beta/files/job-1:download` },
    })
    await expect(connected.driver.fetchOutput(output, signal)).rejects.toThrow()
    expect(await buffer(await connected.driver.fetchOutput(output, signal))).toEqual(connected.simulator.media)
  })

  it('an image of an unsupported format is rejected with the name of its field', async () => {
    await using connected = await openGemini()
    const start = connected.driver.start(requestOf({ prompt: 'it moves', seconds: 8, first_frame: gif }), startContext)
    await expect(start).rejects.toMatchObject({
      name: 'DriverRefusal',
      code: 'invalid_input',
      message: expect.stringContaining('first_frame'),
    })
    expect(connected.simulator.of('submit')).toHaveLength(0)
  })

  it('a probe of Veo reports a wrong key and an unknown model', async () => {
    await using connected = await openGemini()
    await veoDriver.probe?.(connected.target, connected.tools, signal)
    await expect(veoDriver.probe?.({ ...connected.target, credential: 'wrong' }, connected.tools, signal)).rejects.toThrow('403')
    await expect(veoDriver.probe?.({ ...connected.target, model: 'veo-1' }, connected.tools, signal)).rejects.toThrow('404')
  })
})

describe('the credential of Veo', () => {
  const json = JSON.stringify(serviceAccount)

  it('a service account gets new tokens before the old ones expire', async () => {
    await using connected = await openVertex(json)
    let clockMs = Date.now()
    await using driver = veoDriver.connect(connected.target, { ...connected.tools, clock: () => clockMs })
    const request = requestOf({ prompt: 'a paper boat', seconds: 8 })
    const operation = await driver.start(request, startContext)
    await driver.poll(operation, request, signal)
    clockMs += 56 * 60_000
    expect(await driver.poll(operation, request, signal)).toEqual({ state: 'running' })
    const [firstToken, secondToken, thirdToken] = connected.simulator.requests.map(({ headers }) => headers['authorization'])
    expect(secondToken).toBe(firstToken)
    expect(thirdToken).not.toBe(firstToken)
  })

  it('a service account gets a new token after the clock was set back', async () => {
    await using connected = await openVertex(json)
    let clockMs = Date.now() + 30 * 24 * 60 * 60_000
    await using driver = veoDriver.connect(connected.target, { ...connected.tools, clock: () => clockMs })
    const request = requestOf({ prompt: 'a paper boat', seconds: 8 })
    const operation = await driver.start(request, startContext)
    clockMs = Date.now()
    await driver.poll(operation, request, signal)
    const token = connected.simulator.requests.at(-1)?.headers['authorization'] ?? ''
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }
    expect(claims.iat).toBe(Math.floor(clockMs / 1000))
  })

  it('a token with the prefix Bearer is accepted, and a probe reports a wrong token', async () => {
    await using connected = await openVertex(`Bearer ${vertexToken}`)
    await connected.driver.start(requestOf({ prompt: 'a paper boat', seconds: 8 }), startContext)
    await veoDriver.probe?.(connected.target, connected.tools, signal)
    await expect(veoDriver.probe?.({ ...connected.target, credential: 'ya29.old' }, connected.tools, signal)).rejects.toThrow(
      '401',
    )
  })

  it.each([
    [geminiKey, true],
    [vertexToken, true],
    [json, true],
    ['', false],
    ['{"client_email":', false],
    ['{}', false],
    [JSON.stringify({ ...serviceAccount, private_key: 'none' }), false],
    [JSON.stringify({ ...serviceAccount, client_email: '' }), false],
  ])('the validity of the credential %o is %o', (credential, isValid) => {
    expect(veoDriver.credential.isValid?.(credential)).toBe(isValid)
  })

  it('a Veo route that stores results in a bucket is rejected', async () => {
    await using connected = await openVertex(json)
    const extra = { parameters: { storageUri: 'gs://films/' } }
    expect(veoDriver.findRouteViolations?.({ ...connected.target, extra })).toEqual([
      expect.stringMatching(/^extra\.parameters\.storageUri/),
    ])
    expect(veoDriver.findRouteViolations?.(connected.target)).toEqual([])
  })
})
