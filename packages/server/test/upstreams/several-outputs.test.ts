import { expect, it } from 'vitest'
import type { GenerationParameters } from '../../src/catalogue/generation-parameters.ts'
import type { DriverOutput, GenerationRequest } from '../../src/drivers/driver.ts'
import { arkDriver } from '../../src/drivers/ark/ark-driver.ts'
import { comfyuiDriver } from '../../src/drivers/comfyui/comfyui-driver.ts'
import { dashscopeDriver } from '../../src/drivers/dashscope/dashscope-driver.ts'
import { falDriver } from '../../src/drivers/fal/fal-driver.ts'
import { framegateDriver } from '../../src/drivers/framegate/framegate-driver.ts'
import { klingDriver } from '../../src/drivers/kling/kling-driver.ts'
import { minimaxDriver } from '../../src/drivers/minimax/minimax-driver.ts'
import { openaiDriver } from '../../src/drivers/openai/openai-driver.ts'
import { replicateDriver } from '../../src/drivers/replicate/replicate-driver.ts'
import { outputUrls } from '../../src/drivers/replicate/output.ts'
import type { ConnectedTarget, UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import { viduDriver } from '../../src/drivers/vidu/vidu-driver.ts'
import { veoDriver } from '../../src/drivers/veo/veo-driver.ts'
import { xaiDriver } from '../../src/drivers/xai/xai-driver.ts'
import { startContext } from '../start-context.ts'
import { arkKey, arkProtocol } from './ark.protocol.ts'
import { comfyuiCredential, createComfyuiProtocol } from './comfyui.protocol.ts'
import { dashscopeKey, dashscopeProtocol } from './dashscope.protocol.ts'
import { requestOf, openUpstream, type SimulatedUpstream } from './driver-spec.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import { framegateKey, framegateProtocol } from './framegate.protocol.ts'
import { klingKey, klingProtocol } from './kling.protocol.ts'
import { minimaxKey, minimaxProtocol } from './minimax.protocol.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { replicateKey, replicateProtocol } from './replicate.protocol.ts'
import type { Protocol } from './simulator.ts'
import { geminiKey, geminiPath, geminiProtocol, vertexPath, vertexProtocol, vertexToken } from './veo.protocol.ts'
import { viduKey, viduProtocol } from './vidu.protocol.ts'
import { xaiKey, xaiProtocol } from './xai.protocol.ts'

const requestedCount = 3
const image: Partial<GenerationRequest> = { object: 'image', size: { width: 1024, height: 1024 } }
const { signal } = new AbortController()
const workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, model: ['4', 0] } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a sample', clip: ['4', 1] } },
}
const slots = { prompt: '6.text', seed: '3.seed', width: '5.width', height: '5.height', n: '5.batch_size' }

interface OutputsCase {
  name: string
  driver: UpstreamDriver
  protocol: Protocol
  target: Partial<ConnectedTarget> & { basePath?: string }
  parameters?: GenerationParameters
  /** Default: images. */
  object?: 'video'
  /** Returns the number of requested results from the body of the submit. */
  countOf: (json: any) => unknown // oxlint-disable-line typescript/no-explicit-any
}

const outputsCases: OutputsCase[] = [
  {
    name: 'openai',
    driver: openaiDriver,
    protocol: openaiProtocol,
    target: { basePath: '/v1', model: 'gpt-image-2', credential: openaiKey },
    countOf: ({ n }) => n,
  },
  {
    name: 'xai',
    driver: xaiDriver,
    protocol: xaiProtocol,
    target: { basePath: '/v1', model: 'grok-imagine-image', credential: xaiKey },
    countOf: ({ n }) => n,
  },
  {
    name: 'fal',
    driver: falDriver,
    protocol: falProtocol,
    target: { model: 'fal-ai/flux/dev', credential: falKey },
    countOf: ({ num_images: count }) => count,
  },
  {
    name: 'replicate',
    driver: replicateDriver,
    protocol: replicateProtocol,
    target: { basePath: '/v1', model: 'black-forest-labs/flux-dev', credential: replicateKey },
    countOf: ({ input }) => input.num_outputs,
  },
  {
    name: 'dashscope (synchronous)',
    driver: dashscopeDriver,
    protocol: dashscopeProtocol,
    target: { basePath: '/api/v1', model: 'qwen-image-2.0', credential: dashscopeKey },
    countOf: ({ parameters }) => parameters.n,
  },
  {
    name: 'dashscope (asynchronous task)',
    driver: dashscopeDriver,
    protocol: dashscopeProtocol,
    target: { basePath: '/api/v1', model: 'wan2.7-image', credential: dashscopeKey },
    countOf: ({ parameters }) => parameters.n,
  },
  {
    name: 'minimax',
    driver: minimaxDriver,
    protocol: minimaxProtocol,
    target: { model: 'image-01', credential: minimaxKey },
    countOf: ({ n }) => n,
  },
  {
    name: 'kling',
    driver: klingDriver,
    protocol: klingProtocol,
    target: { model: 'kling-v3', credential: klingKey },
    countOf: ({ n }) => n,
  },
  {
    name: 'comfyui',
    driver: comfyuiDriver,
    protocol: createComfyuiProtocol(),
    target: { model: 'sd', workflow, slots, credential: comfyuiCredential },
    countOf: ({ prompt }) => prompt['5'].inputs.batch_size,
  },
  {
    name: 'veo (Gemini API)',
    driver: veoDriver,
    protocol: geminiProtocol,
    target: { basePath: geminiPath, model: 'veo-3.1-generate-preview', credential: geminiKey },
    parameters: { seconds: 8 },
    object: 'video',
    countOf: ({ parameters }) => parameters.sampleCount,
  },
  {
    name: 'veo (Vertex AI)',
    driver: veoDriver,
    protocol: vertexProtocol,
    target: { basePath: vertexPath, model: 'veo-3.1-generate-001', credential: vertexToken },
    parameters: { seconds: 8 },
    object: 'video',
    countOf: ({ parameters }) => parameters.sampleCount,
  },
  {
    name: 'framegate',
    driver: framegateDriver,
    protocol: framegateProtocol,
    target: { basePath: '/api', model: 'sd_2.0_special', credential: framegateKey },
    object: 'video',
    countOf: ({ n }) => n,
  },
]

const requestDefaults = ({ object }: OutputsCase): Partial<GenerationRequest> => (object === undefined ? image : {})

async function generate(upstream: SimulatedUpstream, request: GenerationRequest): Promise<DriverOutput[]> {
  const { driver, simulator } = upstream
  simulator.moves = ['succeeded']
  const operation = await driver.start(request, startContext)
  const outcome = await driver.poll(JSON.parse(JSON.stringify(operation)), request, signal)
  if (outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome))
  return outcome.outputs
}

it.each(outputsCases)('$name requests n results and returns all of them', async (outputsCase) => {
  const { driver, protocol, target, parameters, countOf } = outputsCase
  await using upstream = await openUpstream(driver, protocol, target)
  const request = requestOf({ prompt: 'a tin robot', n: requestedCount, ...parameters }, requestDefaults(outputsCase))
  expect(driver.refuse(request, upstream.target)).toBeNull()
  const outputs = await generate(upstream, request)
  expect(countOf(upstream.simulator.of('submit')[0]?.json)).toBe(requestedCount)
  expect(outputs).toHaveLength(requestedCount)
  for (const output of outputs) {
    const chunks = await (await upstream.driver.fetchOutput(output, signal)).toArray()
    expect(Buffer.concat(chunks)).toEqual(upstream.simulator.media)
  }
})

it.each(outputsCases)('$name returns one result if the task requests one', async (outputsCase) => {
  const { driver, protocol, target, parameters } = outputsCase
  await using upstream = await openUpstream(driver, protocol, target)
  const request = requestOf({ prompt: 'a tin robot', n: 1, ...parameters }, requestDefaults(outputsCase))
  expect(driver.refuse(request, upstream.target)).toBeNull()
  expect(await generate(upstream, request)).toHaveLength(1)
})

it('ark returns every image of a group except the refused ones', async () => {
  const extra = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } }
  await using upstream = await openUpstream(arkDriver, arkProtocol, {
    basePath: '/api/v3',
    model: 'seedream-4-0',
    credential: arkKey,
    extra,
  })
  expect(await generate(upstream, requestOf({ prompt: 'four seasons' }, image))).toHaveLength(4)
  const data = [{ error: { code: 'OutputImageSensitiveContentDetected', message: 'no' } }, { url: 'https://example.com/a.png' }]
  upstream.simulator.next('submit', { status: 200, json: { data } })
  const outputs = await generate(upstream, requestOf({ prompt: 'four seasons' }, image))
  expect(outputs.map(({ location }) => location)).toEqual([{ url: 'https://example.com/a.png' }])
})

it('fal omits the flagged images of a batch', async () => {
  await using upstream = await openUpstream(falDriver, falProtocol, { model: 'fal-ai/flux/dev', credential: falKey })
  const request = requestOf({ prompt: 'a tin robot', n: 2 }, image)
  const operation = await upstream.driver.start(request, startContext)
  upstream.simulator.jobs[0]!.moves = ['succeeded']
  const files = ['a', 'b'].map((name) => ({ url: `https://example.com/${name}.png` }))
  upstream.simulator.next('poll', { status: 200, json: { status: 'COMPLETED' } })
  upstream.simulator.next('poll', { status: 200, json: { images: files, has_nsfw_concepts: [true, false] } })
  const outcome = await upstream.driver.poll(operation, request, signal)
  expect(outcome).toMatchObject({ state: 'succeeded', outputs: [{ location: { url: 'https://example.com/b.png' } }] })
})

it('vidu returns every creation that has a URL, and the watermarked file on request', async () => {
  await using upstream = await openUpstream(viduDriver, viduProtocol, { credential: viduKey, model: 'viduq3-turbo' })
  const creations = [
    { id: 'a', url: exampleUrl('a.mp4'), watermarked_url: exampleUrl('a-marked.mp4') },
    { id: 'b', url: '' },
    { id: 'c', url: exampleUrl('c.mp4') },
  ]
  const generateLocations = async (watermark: boolean): Promise<unknown[]> => {
    const request = requestOf({ prompt: 'four seasons', watermark })
    const operation = await upstream.driver.start(request, startContext)
    upstream.simulator.next('poll', { status: 200, json: { id: 'job', state: 'success', credits: 55, creations } })
    const outcome = await upstream.driver.poll(operation, request, signal)
    if (outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome))
    return outcome.outputs.map(({ location }) => location)
  }
  expect(await generateLocations(false)).toEqual([{ url: exampleUrl('a.mp4') }, { url: exampleUrl('c.mp4') }])
  expect(await generateLocations(true)).toEqual([{ url: exampleUrl('a-marked.mp4') }, { url: exampleUrl('c.mp4') }])
})

const framegateTarget = { basePath: '/api', model: 'sd_2.0_special', credential: framegateKey }

it('framegate returns the seed of each result', async () => {
  await using upstream = await openUpstream(framegateDriver, framegateProtocol, framegateTarget)
  const outputs = await generate(upstream, requestOf({ prompt: 'four seasons', n: 2 }))
  expect(outputs.map(({ seed }) => seed)).toEqual([7, 8])
})

it('framegate accepts a response with `result_url` instead of a list of results', async () => {
  await using upstream = await openUpstream(framegateDriver, framegateProtocol, framegateTarget)
  upstream.simulator.next('poll', { status: 200, json: { status: 'completed', result_url: exampleUrl('a.mp4'), seed: 3 } })
  expect(await generate(upstream, requestOf({ prompt: 'one season' }))).toMatchObject([
    { location: { url: exampleUrl('a.mp4') }, seed: 3 },
  ])
})

it('openai refuses more results than it supports per request, and names the supported number', () => {
  const target = { ...bareTarget, model: 'gpt-image-2' }
  expect(openaiDriver.refuse(requestOf({ prompt: 'x', n: 11 }, image), target)).toEqual({
    parameter: 'n',
    message: 'n must be at most 10 for this model',
  })
})

it('ark refuses n=2 for a model that returns one result, and veo refuses n=5', () => {
  const seedream = { ...bareTarget, model: 'seedream-5-0-pro' }
  expect(arkDriver.refuse(requestOf({ prompt: 'x', n: 2 }, image), seedream)).toMatchObject({ parameter: 'n' })
  expect(arkDriver.refuse(requestOf({ prompt: 'x', n: 1 }, image), seedream)).toBeNull()
  expect(veoDriver.refuse(requestOf({ prompt: 'x', seconds: 8, n: 5 }), { ...bareTarget, model: 'veo-3.1' })).toMatchObject({
    parameter: 'n',
  })
})

it('replicate returns at most sixteen files of the requested type, or all files if none has that type', () => {
  expect(outputUrls({ video: exampleUrl('a.mp4'), thumbnail: exampleUrl('a.webp') }, 'video')).toEqual([exampleUrl('a.mp4')])
  expect(outputUrls([exampleUrl('a.png'), exampleUrl('b.webp'), exampleUrl('c')], 'image')).toEqual([
    exampleUrl('a.png'),
    exampleUrl('b.webp'),
    exampleUrl('c'),
  ])
  expect(outputUrls({ thumbnail: exampleUrl('a.webp') }, 'video')).toEqual([exampleUrl('a.webp')])
  expect(
    outputUrls(
      Array.from({ length: 100 }, (_, index) => exampleUrl(`${index}.png`)),
      'image',
    ),
  ).toHaveLength(16)
})

const bareTarget: ConnectedTarget = {
  baseUrl: 'https://example.com',
  model: '',
  credential: '',
  parameters: {},
  extra: {},
  workflow: null,
  slots: {},
}

function exampleUrl(name: string): string {
  return `https://example.com/${name}`
}
