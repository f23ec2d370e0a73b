import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { falWithSchemas } from '../../server/test/import/schema-providers.ts'
import { plainPng } from '../../server/test/plain-png.ts'
import { falKey } from '../../server/test/upstreams/fal.protocol.ts'
import { Simulator } from '../../server/test/upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../../server/test/upstreams/service-with-upstreams.ts'
import { Framegate, type FramegateError } from '../src/index.ts'

let fal: Simulator
let service: ServiceWithUpstreams
let client: Framegate
let folder: string
beforeAll(async () => {
  fal = await Simulator.open(falWithSchemas(new Map()))
  fal.moves = ['succeeded']
  fal.media = plainPng(32, 32)
  const upstream = { driver: 'fal', base_url: fal.origin, schema_url: `${fal.origin}/schemas`, api_key: falKey }
  service = await startServiceWithUpstreams({ upstreams: { 'fal-main': upstream }, routes: [] })
  client = new Framegate({ baseUrl: service.server.baseUrl, apiKey: service.server.apiKey })
  const sources = ['fal:fal-ai/nano-banana-2/edit']
  const body = { sources, id: 'banana', price: { per_image: 0.05 } }
  await client.request({ method: 'POST', path: '/admin/v1/models/import', body })
  folder = mkdtempSync(join(tmpdir(), 'framegate-imported-'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await fal[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

it('the SDK lists an imported model with its parameters, generates several results from a file, and saves them with saveAll', async () => {
  const model = await client.models.get('banana')
  expect(model).toMatchObject({ type: 'image', available: true, price: { credits: { '*': 0.05 } } })
  expect(model.parameters.properties).toMatchObject({ n: { maximum: 4 }, reference_images: { type: 'array' } })
  const request = { model: model.id, prompt: 'a red kite', n: 3, reference_images: [plainPng(16, 16)] }
  expect(await client.tasks.quote(request)).toMatchObject({ amount: 0.15, available: true })
  const task = await client.tasks.createAndWait(request)
  expect([task.amount, task.results?.length]).toEqual([0.15, 3])
  const paths = await client.tasks.saveAll(task, join(folder, 'kite.png'))
  expect(paths.map((path) => readFileSync(path).equals(plainPng(32, 32)))).toEqual([true, true, true])
  expect(fal.of('submit').at(-1)?.json).toMatchObject({ num_images: 3, image_urls: [expect.any(String)] })
})

it('a parameter that an imported model does not have is rejected by name, and nothing is sent to the provider', async () => {
  const submits = fal.of('submit').length
  const call = client.tasks.create({ model: 'banana', prompt: 'a kite', seconds: 5, reference_images: [plainPng(16, 16)] })
  expect(await call.catch((error: FramegateError) => error)).toMatchObject({ status: 400, param: 'seconds' })
  expect(fal.of('submit')).toHaveLength(submits)
})
