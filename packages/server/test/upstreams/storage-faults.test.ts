import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it, vi } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { plainPng } from '../plain-png.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const videoRequest = { model, prompt: 'a kite over dunes', seconds: 5 }
/** Number of times that the service downloads a result that is itself invalid. */
const collectionsMax = 3

async function openService(upstream: Simulator): Promise<ServiceWithUpstreams> {
  return startServiceWithUpstreams({
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
  })
}

function countFailedCollections(service: ServiceWithUpstreams): number {
  return service.server.log().split('could not be collected').length - 1
}

describe.concurrent('results that cannot be stored', () => {
  // The tests replace a folder by a file, because root can write to any folder.
  it.for(['media', 'scratch'])(
    'a result is stored when the folder %s is writable again, without a second job',
    async (name, { expect }) => {
      await using upstream = await Simulator.open(openaiProtocol)
      upstream.moves = ['succeeded']
      upstream.media = await packetVideo()
      await using service = await openService(upstream)
      const folder = path.join(service.dataDir, name)
      renameSync(folder, `${folder}.away`)
      writeFileSync(folder, '')
      const id = await service.submit(videoRequest)
      await vi.waitUntil(() => countFailedCollections(service) > collectionsMax, { timeout: 40_000 })
      expect(await service.task(id)).toMatchObject({ status: 'processing' })
      rmSync(folder)
      renameSync(`${folder}.away`, folder)
      const task = await service.until(id, 'completed')
      expect(Buffer.from(await (await fetch(task.result_url ?? '')).arrayBuffer())).toEqual(upstream.media)
      expect([upstream.jobs.length, service.rows('select number from task_attempts').length]).toEqual([1, 1])
    },
  )

  it('a result that an upstream returns only once is stored when the folder for such results is writable again', async ({
    expect,
  }) => {
    await using upstream = await Simulator.open(openaiProtocol)
    upstream.moves = ['succeeded']
    upstream.media = plainPng(64, 64)
    await using service = await startServiceWithUpstreams({
      upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
      routes: [{ model: 'imgA-5.0', upstream: 'main', upstream_model: 'gpt-image-2' }],
    })
    const folder = path.join(service.dataDir, 'kept')
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, '')
    const id = await service.submit({ model: 'imgA-5.0', prompt: 'a tin robot' })
    await vi.waitUntil(() => upstream.requests.length > 0)
    await sleep(1_500)
    expect(await service.task(id)).toMatchObject({ status: 'processing' })
    rmSync(folder)
    const task = await service.until(id, 'completed')
    expect(Buffer.from(await (await fetch(task.result_url ?? '')).arrayBuffer())).toEqual(upstream.media)
    expect(service.rows('select number from task_attempts')).toHaveLength(1)
  })

  it('a task whose result is not a video fails without waiting for storage', async ({ expect }) => {
    await using upstream = await Simulator.open(openaiProtocol)
    upstream.moves = ['succeeded']
    upstream.media = Buffer.from('<html>no video</html>')
    await using service = await openService(upstream)
    const id = await service.submit(videoRequest)
    expect(await service.until(id, 'failed')).toMatchObject({ error_code: 'upstream_failed', amount: 0 })
    expect([countFailedCollections(service), upstream.jobs.length]).toEqual([collectionsMax, 1])
  })
})
