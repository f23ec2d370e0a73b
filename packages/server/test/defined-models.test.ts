import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Model, Task } from '@framegate/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { probeMedia } from '../src/media/probe-media.ts'
import { startServer, type StartedServer } from './started-server.ts'

const settings = `
models:
  - id: House Clip
    object: video
    description: Short clips.
    parameters:
      prompt: {}
      aspect_ratio: { enum: ['4:5', '16:9'], default: '4:5' }
      resolution: { enum: ['480p'] }
      seconds: { enum: [1, 2] }
      motion: { type: number, minimum: 0, maximum: 1, default: 0.5 }
    required: [prompt]
    price: { per_second: 0.1 }
`
const image = {
  id: 'house-image',
  object: 'image',
  parameters: { prompt: {}, style: { enum: ['flat', 'oil'] } },
  price: { per_task: 0 },
}

let folder: string
let server: StartedServer

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-models-'))
  mkdirSync(path.join(folder, 'models'))
  write('framegate.yaml', settings)
  write('models/image.json', JSON.stringify(image))
  server = await startServer(path.join(folder, 'data'), { FRAMEGATE_CONFIG: path.join(folder, 'framegate.yaml') })
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text)
}

async function finishTask(body: object): Promise<Task> {
  const submitted = await server.request('POST', '/v2/model-center/tasks', body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  return (await (await server.request('GET', `/v2/model-center/tasks/${id}?wait=60`)).json()) as Task
}

async function statusOf(model: string): Promise<number> {
  return (await server.request('GET', `/v2/model-center/models/${encodeURIComponent(model)}`)).status
}

async function untilStatus(model: string, status: number): Promise<void> {
  await vi.waitFor(async () => expect(await statusOf(model)).toBe(status), { timeout: 10_000 })
}

it('the embedded driver renders models of the file and of the folder, with the parameters that it knows', async () => {
  const video = await finishTask({ model: 'House Clip', prompt: 'a red fox', seconds: 2, motion: 0.9 })
  expect(video).toMatchObject({ status: 'completed', object: 'video', actualDuration: 2, amount: 0.2 })
  const file = path.join(folder, 'clip.mp4')
  writeFileSync(file, Buffer.from(await (await server.fetch(video.result_url ?? '')).arrayBuffer()))
  expect(await probeMedia(file)).toMatchObject({ width: 480, height: 600, durationSeconds: 2 })
  expect(await finishTask({ model: 'house-image', prompt: 'a boat', style: 'oil' })).toMatchObject({
    status: 'completed',
    amount: 0,
  })
})

it('a defined model accepts the field simulate', async () => {
  const simulate = { seconds: 0, outcome: 'content_policy' }
  expect(await finishTask({ model: 'House Clip', prompt: 'x', simulate })).toMatchObject({
    status: 'failed',
    error_code: 'content_policy',
  })
})

it('a quote may contain each parameter of a model with the maximum number of parameters', async () => {
  const values = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`value_${index}`, index]))
  const parameters = Object.fromEntries(Object.keys(values).map((name) => [name, { type: 'integer' }]))
  const wide = { id: 'wide-image', object: 'image', parameters: { prompt: {}, ...parameters }, price: { per_task: 0 } }
  expect((await server.request('POST', '/admin/v1/models', wide)).status).toBe(201)
  const quote = await server.request('POST', '/v2/model-center/tasks/quote', {
    model: 'wide-image',
    prompt: 'a red fox',
    ...values,
  })
  expect([quote.status, await quote.json()]).toMatchObject([200, { amount: 0 }])
})

it('a changed file, and a new and a removed file of the folder, take effect while the service runs', async () => {
  write('models/second.yaml', 'id: second\nobject: image\nparameters: { prompt: {} }\nprice: { per_image: 1 }\n')
  await untilStatus('second', 200)
  write('framegate.yaml', settings.replace('per_second: 0.1', 'per_second: 0.3'))
  await vi.waitFor(
    async () => {
      const view = (await (await server.request('GET', '/v2/model-center/models/House%20Clip')).json()) as Model
      expect(view.price.credits).toEqual({ '*': 0.3 })
    },
    { timeout: 10_000 },
  )
  rmSync(path.join(folder, 'models/second.yaml'))
  await untilStatus('second', 404)
})

it('an invalid file is reported with line and field, and the previous models stay in use', async () => {
  write('framegate.yaml', `${settings}  - id: house clip\n    object: video\n    parameters: { promt: {} }\n`)
  await vi.waitFor(
    () => {
      expect(server.log()).toContain('framegate.yaml, line 16: models[1].parameters.promt must have a type')
      expect(server.log()).toContain('the previous upstreams, routes and models stay in use')
    },
    { timeout: 10_000 },
  )
  expect(await statusOf('House Clip')).toBe(200)
  write('framegate.yaml', settings)
})

it('a symbolic link to a file outside of the folder is rejected, and the log contains no part of that file', async () => {
  write('elsewhere.yaml', 'hushword: &a [*otherhush]\n')
  symlinkSync('../elsewhere.yaml', path.join(folder, 'models/link.yaml'))
  const refusal = 'models/link.yaml: is a symbolic link to a file outside of the folder models.'
  await vi.waitFor(() => expect(server.log()).toContain(refusal), { timeout: 10_000 })
  rmSync(path.join(folder, 'models/link.yaml'))
  expect(server.log()).not.toContain('hush')
})

it('an error in YAML is reported without quoting the file', async () => {
  write('models/wrong.yaml', 'id: x\ntitle: *otherhush\n')
  await vi.waitFor(
    () => expect(server.log()).toContain('models/wrong.yaml, line 2, column 8: is not YAML: an alias has no anchor before it'),
    {
      timeout: 10_000,
    },
  )
  rmSync(path.join(folder, 'models/wrong.yaml'))
  expect(server.log()).not.toContain('hush')
})

it('a model that a file defines can be changed only in the file', async () => {
  const refused = await server.request('PATCH', '/admin/v1/models/house-image', { title: 'x' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    error: { message: 'The model house-image is defined in models/image.json, line 1; change it there, or use another ID.' },
  })
})

it('a stored model with the ID of a model in a file can be deleted, and the model of the file stays', async () => {
  const storedDefinition = { id: 'double', object: 'image', title: 'stored', parameters: { prompt: {} } }
  expect((await server.request('POST', '/admin/v1/models', storedDefinition)).status).toBe(201)
  const titleOf = async () => ((await (await server.request('GET', '/v2/model-center/models/double')).json()) as Model).title
  write('models/double.json', JSON.stringify({ ...storedDefinition, title: 'of the file', price: { per_image: 1 } }))
  await vi.waitFor(async () => expect(await titleOf()).toBe('of the file'), { timeout: 10_000 })
  const deleted = await server.request('DELETE', '/admin/v1/models/double')
  expect([deleted.status, await deleted.json()]).toMatchObject([
    200,
    { source: 'api', definition: { title: 'stored' }, fault: expect.stringContaining('is also the ID of models/double.json') },
  ])
  const [entry] = ((await (await server.request('GET', '/admin/v1/audit')).json()) as { items: { before: object }[] }).items
  expect([entry?.before, await titleOf()]).toEqual([storedDefinition, 'of the file'])
  expect((await server.request('DELETE', '/admin/v1/models/double')).status).toBe(409)
})

it('a task completes with the parameters and price of its acceptance although its model is removed', async () => {
  write('models/short.yaml', 'id: short\nobject: image\nparameters: { prompt: {} }\nprice: { per_image: 2 }\n')
  await untilStatus('short', 200)
  const submitted = await server.request('POST', '/v2/model-center/tasks', {
    model: 'short',
    prompt: 'x',
    simulate: { seconds: 4 },
  })
  const { id } = (await submitted.json()) as Task
  rmSync(path.join(folder, 'models/short.yaml'))
  await untilStatus('short', 404)
  const endedTask = (await (await server.request('GET', `/v2/model-center/tasks/${id}?wait=60`)).json()) as Task
  expect(endedTask).toMatchObject({ status: 'completed', model: 'short', amount: 2 })
})

it('a reload rejects a route that can serve no request of its new model', async () => {
  write(
    'framegate.yaml',
    `${settings}  - id: from-frame
    object: video
    parameters: { prompt: {}, first_frame: {} }
    required: [prompt, first_frame]
    price: { per_task: 1 }
upstreams:
  fal-main: { driver: fal, api_key: key }
routes:
  - { model: from-frame, upstream: fal-main, upstream_model: fal-ai/kling-video/o3/pro/text-to-video }
`,
  )
  await vi.waitFor(
    () => expect(server.log()).toContain('cannot serve any request for from-frame: first_frame is not supported for this model'),
    { timeout: 10_000 },
  )
  expect(await statusOf('from-frame')).toBe(404)
  write('framegate.yaml', settings)
})
