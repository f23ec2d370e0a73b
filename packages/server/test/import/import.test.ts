import { setTimeout as sleep } from 'node:timers/promises'
import type { AdminModelImport, List, AdminModelDefinition, AdminRoute } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { plainPng } from '../plain-png.ts'
import { comfyuiCredential } from '../upstreams/comfyui.protocol.ts'
import { falKey } from '../upstreams/fal.protocol.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import { replicateKey } from '../upstreams/replicate.protocol.ts'
import { Simulator, type SimulatedResponse } from '../upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { comfyuiWorkflows } from './comfyui-workflows.ts'
import { falDocuments } from './fal-documents.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { comfyuiWithNodeTypes, falWithSchemas, openaiWithModels, replicateWithSchemas } from './schema-providers.ts'

const kling = 'fal-ai/kling-video/v3/pro'
const image = 'https://example.com/a.png'

/** Returns the last submit that the provider has received, if any. */
function lastSubmit(simulator: Simulator) {
  return simulator.of('submit').at(-1)
}

// One service for all tests, with an upstream of each kind. Each test has its own models.
describe('imports of models', () => {
  const overrides = new Map<string, SimulatedResponse>()
  let service: ServiceWithUpstreams
  let fal: Simulator
  let replicate: Simulator
  let comfyui: Simulator
  let openai: Simulator

  beforeAll(async () => {
    ;[fal, replicate, comfyui, openai] = (await Promise.all(
      [falWithSchemas(overrides), replicateWithSchemas, comfyuiWithNodeTypes, openaiWithModels].map((protocol) =>
        Simulator.open(protocol),
      ),
    )) as [Simulator, Simulator, Simulator, Simulator]
    for (const simulator of [fal, replicate, comfyui, openai]) {
      simulator.moves = ['succeeded']
      simulator.media = await packetVideo()
    }
    service = await startServiceWithUpstreams({
      upstreams: {
        'fal-main': { driver: 'fal', base_url: fal.origin, schema_url: `${fal.origin}/schemas`, api_key: falKey },
        rep: { driver: 'replicate', base_url: `${replicate.origin}/v1`, api_key: replicateKey },
        gpu: { driver: 'comfyui', base_url: comfyui.origin, api_key: comfyuiCredential },
        studio: { driver: 'openai', base_url: `${openai.origin}/v1`, schema_url: `${openai.origin}/v1`, api_key: openaiKey },
      },
      routes: [],
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    for (const simulator of [fal, replicate, comfyui, openai]) await simulator[Symbol.asyncDispose]()
  })

  /** Sends a request, and repeats it while the operator's key exceeds its request rate. */
  async function sendWhenAllowed(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    for (;;) {
      const response = await service.server.request(method, path, body)
      if (response.status !== 429) return response
      await sleep(1_000)
    }
  }

  async function postImport(body: object): Promise<{ status: number; json: AdminModelImport & { error: { message: string } } }> {
    const response = await sendWhenAllowed('POST', '/admin/v1/models/import', body)
    return { status: response.status, json: (await response.json()) as AdminModelImport & { error: { message: string } } }
  }
  async function importModel(body: object): Promise<AdminModelImport> {
    const { status, json } = await postImport(body)
    expect(json.error?.message).toBe(undefined)
    expect(status).toBe(200)
    return json
  }
  async function refusalOf(body: object): Promise<string> {
    const { status, json } = await postImport(body)
    expect(status).toBe(400)
    return json.error.message
  }
  async function list<Item>(path: string): Promise<Item[]> {
    return ((await (await sendWhenAllowed('GET', `/admin/v1/${path}`)).json()) as List<Item>).items
  }
  const listModels = () => list<AdminModelDefinition>('models?limit=100')
  const listRoutes = () => list<AdminRoute>('routes')

  async function submitRefused(body: object): Promise<[status: number, parameter: string]> {
    const task = { model: 'veo-i2v', prompt: 'a', first_frame: image, ...body }
    const response = await service.server.request('POST', '/v2/model-center/tasks', task)
    return [response.status, ((await response.json()) as { error: { param: string } }).error.param]
  }

  it('a dry run shows the definition, the route, prices and notes, and writes nothing', async () => {
    const stateBefore = [await listModels(), await listRoutes()]
    const dryRun = await importModel({
      sources: [`fal:${kling}/image-to-video`],
      id: 'dry',
      price: { per_second: 0.1 },
      dry_run: true,
    })
    expect(dryRun).toMatchObject({
      saved: false,
      model: { id: 'dry', object: 'video', price: { per_second: 0.1 }, source: { import: `fal:${kling}/image-to-video` } },
      routes: [{ name: 'dry', route: { upstream: 'fal-main', upstream_model: `${kling}/image-to-video` } }],
      prices: [{ credits: 0.5 }, { credits: 0.5 }],
      drift: null,
      tests: [],
    })
    expect([await listModels(), await listRoutes()]).toEqual(stateBefore)
  })

  it("a task of an imported fal model reaches the provider under the provider's names and completes", async () => {
    const importedModel = await importModel({
      sources: [`fal:${kling}/image-to-video`],
      id: 'kling-i2v',
      price: { per_second: 0.1 },
    })
    expect(importedModel).toMatchObject({ saved: true, tests: [{ route: 'kling-i2v', outcome: 'ok' }] })
    const id = await service.submit({
      model: 'kling-i2v',
      prompt: 'it takes off',
      first_frame: image,
      seconds: 5,
      audio: false,
      guidance: 0.7,
    })
    await service.until(id, 'completed')
    expect(lastSubmit(fal)?.url.pathname).toBe(`/${kling}/image-to-video`)
    expect(lastSubmit(fal)?.json).toEqual({
      prompt: 'it takes off',
      start_image_url: image,
      duration: '5',
      generate_audio: false,
      cfg_scale: 0.7,
    })
  })

  it('a request that no imported endpoint serves is rejected with its parameter before anything is sent', async () => {
    await importModel({ sources: ['fal:fal-ai/veo3.1/image-to-video'], id: 'veo-i2v', price: { per_second: 0.2 } })
    const submitCount = fal.of('submit').length
    expect(await submitRefused({ seconds: 5 })).toEqual([400, 'seconds'])
    expect(await submitRefused({ safety_tolerance: '6' })).toEqual([400, 'safety_tolerance'])
    expect(await submitRefused({ first_frame: undefined })).toEqual([400, 'first_frame'])
    expect(fal.of('submit')).toHaveLength(submitCount)
  })

  it('several endpoints become one model, and each request takes the route that accepts its inputs', async () => {
    const sources = ['text-to-video', 'image-to-video', 'reference-to-video'].map((mode) => `fal:${kling}/${mode}`)
    const importedModel = await importModel({ sources, id: 'kling-all', price: { per_second: 0.1 } })
    expect(importedModel.routes.map(({ name }) => name)).toEqual([
      'kling-all-text-to-video',
      'kling-all-image-to-video',
      'kling-all-reference-to-video',
    ])
    for (const [inputs, mode, sentBody] of [
      [{}, 'text-to-video', { aspect_ratio: '16:9', duration: '5' }],
      [{ first_frame: image }, 'image-to-video', { start_image_url: image, duration: '5' }],
      [{ reference_images: [image] }, 'reference-to-video', { image_urls: [image], duration: '5', aspect_ratio: '16:9' }],
    ] as const) {
      const id = await service.submit({ model: 'kling-all', prompt: 'a kite', ...inputs })
      await service.until(id, 'completed')
      expect(lastSubmit(fal)?.url.pathname).toBe(`/${kling}/${mode}`)
      expect(lastSubmit(fal)?.json).toEqual({ prompt: 'a kite', generate_audio: true, ...sentBody })
    }
  })

  it('a task of an imported image model sends its size in pixels', async () => {
    fal.media = plainPng(64, 64)
    await importModel({ sources: ['fal:fal-ai/flux-2-pro'], id: 'flux', price: { per_image: 0.05 } })
    const id = await service.submit({ model: 'flux', prompt: 'a kite', aspect_ratio: '16:9', resolution: '1K' })
    await service.until(id, 'completed')
    expect(lastSubmit(fal)?.json).toMatchObject({
      prompt: 'a kite',
      image_size: { width: expect.any(Number), height: expect.any(Number) },
    })
    fal.media = await packetVideo()
  })

  it('a repeated import shows the drift and changes nothing, and with update keeps title and price', async () => {
    const id = 'drifting'
    const endpoint = 'fal-ai/ltx-2/text-to-video'
    await importModel({ sources: [`fal:${endpoint}`], id, price: { per_second: 0.1 } })
    await service.server.request('PATCH', `/admin/v1/models/${id}`, { title: 'Our LTX' })
    expect(await importModel({ sources: [`fal:${endpoint}`] })).toMatchObject({
      saved: false,
      drift: [],
      model: { id, title: 'Our LTX' },
    })

    const document = structuredClone(falDocuments.get(endpoint)) as {
      components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> }
    }
    const { properties } = document.components.schemas['FalAiLtx2TextToVideoInput'] ?? { properties: {} }
    Object.assign(properties['duration'] ?? {}, { enum: [6, 8] })
    Object.assign(properties, { seed: { type: 'integer', title: 'Seed' } })
    overrides.set(endpoint, { status: 200, json: document })
    const storedDefinition = async () => (await listModels()).find((model) => model.id === id)?.definition
    const definitionBefore = await storedDefinition()
    const repeated = await importModel({ sources: [`fal:${endpoint}`] })
    expect(repeated.saved).toBe(false)
    expect(repeated.drift).toEqual([
      { field: 'seconds', kind: 'narrower', message: 'It no longer takes 10.' },
      { field: 'seed', kind: 'wider', message: 'It is new.' },
      { field: 'route drifting', kind: 'wider', message: 'Parameters are now sent in a different way.' },
    ])
    expect(await storedDefinition()).toEqual(definitionBefore)
    expect(await importModel({ sources: [`fal:${endpoint}`], update: true })).toMatchObject({ saved: true })
    expect(await storedDefinition()).toMatchObject({
      title: 'Our LTX',
      price: { per_second: 0.1 },
      parameters: { seed: {}, seconds: { enum: [6, 8] } },
    })
    expect(await importModel({ sources: [`fal:${endpoint}`] })).toMatchObject({ saved: false, drift: [] })
  })

  it('a source that the provider has removed is reported as drift, and its model is unchanged', async () => {
    const endpoint = 'fal-ai/vidu/q3/image-to-video'
    const sources = [`fal:${endpoint}`]
    await importModel({ sources, id: 'orphan', price: { per_second: 0.1 } })
    const stateBefore = [await listModels(), await listRoutes()]
    for (const status of [404, 410]) {
      overrides.set(endpoint, { status, json: { detail: 'gone' } })
      const message = `The provider no longer has this model. The schema of ${endpoint} could not be fetched: the server responded with status ${status} instead of 200.`
      expect(await importModel({ sources, update: true })).toMatchObject({
        saved: false,
        model: { id: 'orphan' },
        routes: [],
        drift: [{ field: 'source', kind: 'gone', message }],
      })
    }
    overrides.set(endpoint, { status: 503, json: {} })
    expect(await refusalOf({ sources })).toContain('status 503')
    overrides.delete(endpoint)
    expect([await listModels(), await listRoutes()]).toEqual(stateBefore)
  })

  it.for(['replicate:google/veo-3.1', 'openai:studio:gpt-image-1.5', 'openrouter:google/veo-3.1'])(
    'an import of %s, which its provider no longer lists, reports the drift',
    async (source) => {
      const provider = source.startsWith('replicate') ? replicate : openai
      const upstream = source.startsWith('openrouter') ? { upstream: 'studio' } : {}
      const body = { sources: [source], id: `orphan of ${source.split(':')[0]}`, price: { per_task: 1 }, ...upstream }
      await importModel(body)
      provider.next('probe', source.startsWith('replicate') ? { status: 404, json: {} } : { status: 200, json: { data: [] } })
      expect(await importModel(body)).toMatchObject({ saved: false, drift: [{ field: 'source', kind: 'gone' }] })
    },
  )

  it('an imported model without a price is stored, but clients cannot use it', async () => {
    const importedModel = await importModel({ sources: ['fal:fal-ai/vidu/q3/image-to-video'], id: 'unpriced' })
    expect(importedModel.prices[0]).toMatchObject({ credits: null })
    const response = await service.server.request('POST', '/v2/model-center/tasks', {
      model: 'unpriced',
      prompt: 'a',
      first_frame: image,
    })
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: { code: 'brand_model_missing', message: expect.stringContaining('it has no price') } },
    ])
    expect((await listModels()).find(({ id }) => id === 'unpriced')?.price).toBe(null)
  })

  it('the schema of a Replicate model is fetched with the key, and a task of the model completes', async () => {
    const importedModel = await importModel({
      sources: ['replicate:bytedance/seedance-2.0'],
      id: 'seedance-r',
      price: { per_second: 0.1 },
    })
    expect(importedModel.notes).toContainEqual({
      field: 'aspect_ratio',
      message: 'Values that only this model has can be requested too: 9:21, adaptive.',
    })
    const id = await service.submit({ model: 'seedance-r', prompt: 'a kite', seconds: 5, reference_images: [image] })
    await service.until(id, 'completed')
    expect(lastSubmit(replicate)?.json.input).toEqual({
      prompt: 'a kite',
      duration: 5,
      reference_images: [image],
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: true,
    })
  })

  it('a resolution that only one provider has is sent as that provider writes it and priced, and an unknown one is rejected', async () => {
    const price = { per_second: { '*': 0.1, '4K': 0.5 } }
    await importModel({ sources: ['fal:fal-ai/veo3.1/image-to-video'], id: 'veo-4k', price })
    const task = { model: 'veo-4k', prompt: 'a kite', first_frame: image, seconds: 4 }
    const quote = await service.server.request('POST', '/v2/model-center/tasks/quote', { ...task, resolution: '4K' })
    expect(await quote.json()).toMatchObject({ amount: 2, parameters: { resolution: '4K', aspect_ratio: 'auto' } })
    const id = await service.submit({ ...task, resolution: '4K' })
    await service.until(id, 'completed')
    expect(lastSubmit(fal)?.json).toMatchObject({ resolution: '4k', aspect_ratio: 'auto' })
    const refused = await service.server.request('POST', '/v2/model-center/tasks', { ...task, resolution: '5K' })
    expect([refused.status, ((await refused.json()) as { error: { param: string } }).error.param]).toEqual([400, 'resolution'])
  })

  it('a ComfyUI workflow is typed by the node types of its server, and its task completes', async () => {
    const importedModel = await importModel({
      sources: ['comfyui:flows/wan-text-to-video.json'],
      workflow: comfyuiWorkflows['wan-text-to-video'],
      price: { per_second: 0.05 },
    })
    expect(importedModel).toMatchObject({ model: { id: 'wan-text-to-video' }, tests: [{ outcome: 'ok' }] })
    const id = await service.submit({
      model: 'wan-text-to-video',
      prompt: 'a kite',
      seconds: 5,
      steps: 12,
      guidance: 4.5,
      aspect_ratio: '9:16',
    })
    await service.until(id, 'completed')
    const graph = lastSubmit(comfyui)?.json.prompt as Record<string, { inputs: Record<string, unknown> }>
    expect(graph['6']?.inputs['text']).toBe('a kite')
    expect(graph['3']?.inputs).toMatchObject({ steps: 12, cfg: 4.5 })
    expect(graph['5']?.inputs).toMatchObject({ length: 81 })
  })

  it('an OpenAI-compatible server lists its models, and one of them is imported', async () => {
    const choices = await importModel({ sources: ['openai:studio'] })
    expect(choices).toMatchObject({
      saved: false,
      model: null,
      choices: ['sora-2', 'gpt-image-1.5', 'org/wan-2.7-t2v', 'gpt-5', 'mystery'],
    })
    await importModel({ sources: ['openai:studio:sora-2'], price: { per_second: 0.1 } })
    const id = await service.submit({ model: 'sora-2', prompt: 'a kite', seconds: 8 })
    await service.until(id, 'completed')
    expect(lastSubmit(openai)?.json).toMatchObject({ model: 'sora-2', prompt: 'a kite', seconds: '8', size: '1280x720' })
  })

  it("an OpenRouter model is imported, and its tasks send OpenRouter's field names", async () => {
    await importModel({ sources: ['openrouter:google/veo-3.1'], id: 'or-veo', upstream: 'studio', price: { per_second: 0.1 } })
    const id = await service.submit({ model: 'or-veo', prompt: 'a kite', seconds: 8, audio: true })
    await service.until(id, 'completed')
    expect(lastSubmit(openai)?.json).toEqual({
      model: 'google/veo-3.1',
      prompt: 'a kite',
      duration: 8,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: true,
    })
  })

  it('a shared definition comes from a URL or with the request, and a dry run shows it without its price', async () => {
    const shared = {
      driver: 'fal',
      model: {
        id: 'shared',
        object: 'video',
        parameters: { prompt: {}, seconds: { enum: [5] } },
        required: ['prompt'],
        price: { per_task: 0 },
      },
      routes: [{ upstream_model: 'some/model', input: { prompt: { required: true }, seconds: { field: 'duration' } } }],
    }
    const dryRun = await importModel({ sources: ['file:shared.json'], document: shared, dry_run: true })
    expect(dryRun.model).not.toHaveProperty('price')
    overrides.set('shared', { status: 200, json: shared })
    const source = `file:${fal.origin}/schemas?endpoint_id=shared`
    expect(await importModel({ sources: [source], price: { per_task: 1 } })).toMatchObject({
      saved: true,
      routes: [{ name: 'shared', route: { upstream: 'fal-main' } }],
    })
  })

  it('a pack becomes a model, and a task of the model completes', async () => {
    const packs = await list<{ name: string }>('model-packs')
    expect(packs.length).toBeGreaterThanOrEqual(40)
    await importModel({ sources: ['pack:fal-veo-3.1-fast'], price: { per_second: 0.1 } })
    const id = await service.submit({ model: 'fal-veo-3.1-fast', prompt: 'a kite', first_frame: image })
    await service.until(id, 'completed')
    expect(lastSubmit(fal)?.url.pathname).toBe('/fal-ai/veo3.1/fast/image-to-video')
    expect(lastSubmit(fal)?.json).toMatchObject({ duration: '8s', image_url: image })
  })

  it.for(hostileDocuments.map(({ title, refusal: pattern }, index) => ({ title, pattern, index })))(
    'a schema that is $title is rejected with the reason, and nothing is written',
    async ({ pattern, index }) => {
      const stateBefore = [await listModels(), await listRoutes()]
      const message = await refusalOf({ sources: [`fal:evil/model-${index}`], id: 'evil', price: { per_second: 0.1 } })
      expect(message.replaceAll(`evil/model-${index}`, 'evil/model')).toMatch(pattern)
      expect([await listModels(), await listRoutes()]).toEqual(stateBefore)
    },
  )

  it.for([
    ['an unknown endpoint', { sources: ['fal:fal-ai/nothing'] }, /could not be fetched: .*404/],
    ['a source without a kind', { sources: ['fal-ai/flux'] }, /The source fal-ai\/flux must be fal:ENDPOINT/],
    ['an unknown kind of source', { sources: ['ftp:x'] }, /must be fal:ENDPOINT/],
    ['an endpoint that is a path', { sources: ['fal:../../etc/passwd'] }, /must be an endpoint such as fal-ai\/flux-2-pro/],
    [
      'sources of two providers',
      { sources: ['fal:fal-ai/flux-2-pro', 'replicate:a/b'] },
      /Sources of different providers cannot/,
    ],
    ['two packs', { sources: ['pack:flux-2-pro', 'pack:wan-2.7'] }, /Only sources of fal or of Replicate can be combined/],
    [
      'an unknown upstream',
      { sources: ['fal:fal-ai/flux-2-pro'], upstream: 'fal-2' },
      /There is no upstream fal-2\. Upstreams with the driver fal: fal-main\./,
    ],
    [
      'a source of OpenAI with a model instead of an upstream',
      { sources: ['openai:gpt-image-1'] },
      /There is no upstream gpt-image-1\. The source must be openai:UPSTREAM\[:MODEL\]\. Upstreams with the driver openai: studio\./,
    ],
    [
      'an upstream of another driver',
      { sources: ['fal:fal-ai/flux-2-pro'], upstream: 'rep' },
      /has the driver replicate; this source needs the driver fal/,
    ],
    [
      'a pack without an upstream',
      { sources: ['pack:kling-v3'] },
      /There is no upstream with the driver kling; set one with framegate upstreams set/,
    ],
    ['a private address', { sources: ['file:http://169.254.169.254/latest/meta-data'] }, /could not be fetched: /],
    ['a URL of another protocol', { sources: ['file:file:///etc/passwd'] }, /needs an http or https URL/],
    ['an ID of a built-in model', { sources: ['pack:flux-2-pro'], id: 'vidDq3-turbo' }, /vidDq3-turbo/],
    ['a wrong price', { sources: ['fal:fal-ai/flux-2-pro'], price: { per_second: 1 } }, /price must have the unit/],
    ['a workflow that is missing', { sources: ['comfyui:x.json'] }, /needs the workflow in API format/],
  ] as const)('%s is rejected with the reason, and nothing is written', async ([, body, pattern]) => {
    const stateBefore = [await listModels(), await listRoutes()]
    expect(await refusalOf({ id: 'wrong', ...body })).toMatch(pattern)
    expect([await listModels(), await listRoutes()]).toEqual(stateBefore)
  })

  it.for([
    ['a redirect to a private host', { status: 302, headers: { location: 'http://10.0.0.1/schema' } }],
    ['an error page', { status: 503, bytes: Buffer.from('<html>') }],
    ['a response beyond the limit', { status: 200, bytes: Buffer.alloc(300_000, 0x20) }],
    ['a wrong Content-Length', { status: 200, bytes: Buffer.from('{}'), headers: { 'content-length': '999999999' } }],
  ] as const)('%s in place of a schema is rejected with the reason', async ([, response]) => {
    overrides.set('fal-ai/broken', response)
    expect(await refusalOf({ sources: ['fal:fal-ai/broken'], id: 'broken' })).toMatch(/^The schema of fal-ai\/broken .*\.$/)
  })

  it('an import never replaces a model that was not imported from the same source', async () => {
    await importModel({ sources: ['pack:seedream-4.5'], price: { per_image: 1 } })
    expect(await refusalOf({ sources: ['fal:fal-ai/flux-2-pro'], id: 'seedream-4.5', update: true })).toMatch(
      /The model seedream-4.5 already exists/,
    )
  })
})
