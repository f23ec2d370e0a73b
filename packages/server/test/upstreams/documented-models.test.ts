import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../../src/catalogue/default-families.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import { readRoutingFile, type RoutingFile } from '../../src/config/routing-file.ts'
import { imageFamilies, videoFamilies } from '../../src/drivers/fal/endpoint-families.ts'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { routingContextOf } from '../open-routing.ts'
import { packetVideo } from '../packet-video.ts'
import { documentedModels, type DocumentedModel } from './documented-models.ts'

/**
 * Models of the catalogue on every upstream model that a driver's page documents: a submit
 * with only the required parameters is accepted, or the route is rejected with the reason when the
 * configuration is read.
 */

const catalogue = createCatalogue(defaultFamilies)
const { models } = catalogue
const image = 'https://example.com/image.png'
const clipUrl = 'https://example.com/clip.mp4'
const upstreamOverrides: Readonly<Record<string, object>> = {
  veo: { base_url: 'http://127.0.0.1:9/v1beta' },
  comfyui: { base_url: 'http://127.0.0.1:9' },
  framegate: { base_url: 'http://127.0.0.1:9/api' },
}
/** The workflow of docs/upstreams/comfyui.md. */
const workflow = {
  workflow: 'workflow.json',
  slots: { prompt: '6.text', seed: '3.seed', width: '40.width', height: '40.height', frames: '40.length', frame_rate: '47.fps' },
}

/**
 * Upstream models that serve no model of the catalogue. `wan2.6-t2i` generates sizes that no model
 * has, unless the route's `extra` sets one. The others edit a video, which no model of the
 * catalogue accepts.
 */
const servesNoModel = new Set([
  'wan2.6-t2i',
  ...['o1', 'o3/standard', 'o3/pro'].map((version) => `fal-ai/kling-video/${version}/video-to-video/edit`),
])

let folder: string
let service: HttpService
beforeAll(async () => {
  const clip = await packetVideo({ frames: 120, framesPerSecond: 24, width: 1280, height: 720 })
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-documented-'))
  const inputs = { text: '', seed: 0, width: 0, height: 0, length: 0, fps: 16 }
  const nodes = Object.fromEntries(['3', '6', '40', '47'].map((id) => [id, { class_type: 'Any', inputs }]))
  writeFileSync(path.join(folder, 'workflow.json'), JSON.stringify(nodes))
  service = await openHttpService({
    fetchUntrusted: async (url) => ({ stream: Readable.from([clip]), contentType: null, finalUrl: url, status: 200 }),
  })
  await service.store.grant(service.accountNo, 1_000_000_000_000, 'for every model')
  const brand = service.brands.ofHost(undefined)
  await service.brands.setBrandModel(brand.id, 'imgA_5.0Pro', { visibility: 'invocable' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns a configuration file with one route per model, from that model to the upstream model. */
function fileOf({ driver, name }: DocumentedModel, ids: readonly string[]): RoutingFile {
  const routes = ids.map((model) => ({ model, upstream: 'main', upstream_model: name, ...(driver === 'comfyui' && workflow) }))
  const upstreams = {
    main: { driver, base_url: 'http://127.0.0.1:9/v1', api_key: 'fg_live_key-4711', ...upstreamOverrides[driver] },
  }
  const text = `upstreams: ${JSON.stringify(upstreams)}\nroutes:\n${routes.map((route) => `  - ${JSON.stringify(route)}\n`).join('')}`
  const violations: string[] = []
  const label = 'framegate.yaml'
  const file = readRoutingFile(text, { env: {}, label, path: path.join(folder, label), baseDir: folder }, violations)
  expect(violations).toEqual([])
  return file
}

/**
 * Configures routes for these models, without the invalid ones. Returns the models of the invalid
 * routes, with the reasons.
 */
async function applyValidRoutes(documented: DocumentedModel, ids: readonly string[]): Promise<Map<string, string>> {
  const refused = new Map<string, string>()
  try {
    await service.routing.useFile(fileOf(documented, ids), routingContextOf(catalogue))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const violation of error.violations) {
      const [, line, reason = violation] =
        /^framegate\.yaml, line (\d+): routes\[\d+\]\.upstream_model (.*)$/.exec(violation) ?? []
      // The first route is in line 3.
      refused.set(ids[Number(line) - 3] ?? violation, reason)
    }
    await service.routing.useFile(
      fileOf(
        documented,
        ids.filter((id) => !refused.has(id)),
      ),
      routingContextOf(catalogue),
    )
  }
  return refused
}

interface ShownModel {
  id: string
  available: boolean
  parameters: ShownParameters
}

interface ShownParameters {
  properties: Readonly<Record<string, { type: string; minItems?: number }>>
  required: readonly string[]
  anyOf?: readonly { required: readonly string[] }[]
}

/**
 * Returns request bodies with only the required parameters. If the model requires one of several
 * sets of parameters, returns one body for each set.
 */
function smallestBodies(
  id: string,
  { properties, required, anyOf = [{ required: [] }] }: ShownParameters,
): Record<string, unknown>[] {
  const valueOf = (name: string): unknown => {
    if (name === 'model') return id
    if (name === 'prompt') return 'a kite'
    const { type, minItems = 1 } = properties[name] ?? { type: 'missing' }
    const file = /video/.test(name) ? clipUrl : image
    return type === 'array' ? Array.from({ length: minItems }, () => file) : file
  }
  return anyOf.map((set) => Object.fromEntries([...required, ...set.required].map((name) => [name, valueOf(name)])))
}

describe.each(upstreamDrivers.map(({ name }) => name))('the documented models of %s', (driver) => {
  const modelsOfDriver = documentedModels.filter((documented) => documented.driver === driver)

  it(`the page of ${driver} lists models`, () => {
    expect(modelsOfDriver.length).toBeGreaterThan(0)
  })

  it.each(modelsOfDriver)(
    'a submit with only the required parameters is accepted on $driver $name, or its route is rejected',
    async (documented) => {
      const allIds = models.filter(({ object }) => object === documented.object).map(({ id }) => id)
      // By default, each upstream model gets every third model of the catalogue, from a different
      // starting position. If it fits none of them, it gets all models.
      const offset = modelsOfDriver.indexOf(documented) % 3
      let usedIds: string[] = []
      for (const ids of [...(isLongRun ? [] : [allIds.filter((_, index) => index % 3 === offset)]), allIds]) {
        const refused = await applyValidRoutes(documented, ids)
        for (const [model, reason] of refused) expect(reason).toContain(`cannot serve any request for ${model}: `)
        usedIds = ids.filter((id) => !refused.has(id))
        if (usedIds.length > 0) break
      }
      expect(usedIds.length > 0).toBe(!servesNoModel.has(documented.name))
      const modelList = await service.request('GET', '/v2/model-center/models?limit=100')
      const byId = new Map<string, ShownModel>(modelList.json.items.map((model: ShownModel) => [model.id, model]))
      const bodies = usedIds.flatMap((id) => {
        const { available, parameters } = byId.get(id) ?? { available: false, parameters: { properties: {}, required: [] } }
        expect([id, available]).toEqual([id, true])
        return smallestBodies(id, parameters)
      })
      const submits = bodies.map((body) => service.request('POST', '/v2/model-center/tasks', { body }))
      for (const [index, submitted] of (await Promise.all(submits)).entries()) {
        const outcome = [bodies[index], submitted.status, submitted.json.error?.message]
        expect(outcome).toEqual([bodies[index], 202, undefined])
      }
    },
  )
})

it('each endpoint family of the fal driver has a documented endpoint, and each documented endpoint has a family', () => {
  const documented = documentedModels.filter(({ driver }) => driver === 'fal')
  for (const { endpoints } of [...videoFamilies, ...imageFamilies]) {
    expect([endpoints.source, documented.some(({ name }) => endpoints.test(name))]).toEqual([endpoints.source, true])
  }
  for (const { name, object } of documented) {
    const families = object === 'video' ? videoFamilies : imageFamilies
    expect([name, families.some(({ endpoints }) => endpoints.test(name))]).toEqual([name, true])
  }
})
