import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const loadError = 'the package of the renderer is missing'

let folder: string
let upstream: Simulator
let service: ServiceWithUpstreams

/** Starts a service in which the renderer cannot be loaded. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-without-renderer-'))
  const hook = path.join(folder, 'hook.mjs')
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'
     registerHooks({
       load(url, context, next) {
         const loaded = next(url, context)
         // The program is a bundle, so the renderer is found by the class that it exports.
         if (/class RenderPool|RenderPool = class/.test(loaded.source)) throw new Error(${JSON.stringify(loadError)})
         return loaded
       },
     })`,
  )
  upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  upstream.media = await packetVideo()
  service = await startServiceWithUpstreams(
    {
      upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
      routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
    },
    { NODE_OPTIONS: `--import=${hook}` },
  )
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

it('a service whose tasks all go to an upstream never loads the renderer', async () => {
  await service.until(await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 }), 'completed')
  expect(service.server.log()).not.toContain(loadError)
})

it('the first task on the embedded driver tries to load the renderer', async () => {
  await service.submit({ model: 'imgA-5.0', prompt: 'a kite over dunes' })
  await vi.waitUntil(() => service.server.log().includes(loadError), { timeout: 20_000 })
})
