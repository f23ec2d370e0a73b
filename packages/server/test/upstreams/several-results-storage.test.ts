import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { describe, expect, it, vi } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { startS3Server, s3ServerUnavailable } from '../s3-server.ts'
import { mayMount, mountSmallDisk } from '../small-disk.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import { Simulator, type Protocol } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

/** Storage of results that can fail and recover while a service uses it. */
interface Storage extends AsyncDisposable {
  settings: Record<string, string>
  /**
   * Called after the start of the service. The returned value is disposed of before the service
   * stops.
   */
  attach(service: ServiceWithUpstreams): Promise<Disposable>
  fail(): Promise<void>
  recover(): Promise<void>
  /** Number of stored result files, without thumbnails. Null: the test cannot count them. */
  fileCount(): number | null
}

async function openSmallDisk(): Promise<Storage> {
  let disk: ReturnType<typeof mountSmallDisk> = null
  return {
    settings: {},
    async attach(service) {
      await service.server.kill()
      disk = mountSmallDisk(path.join(service.dataDir, 'media'), 4)
      await service.killAndRestart()
      return { [Symbol.dispose]: () => disk?.[Symbol.dispose]() }
    },
    fail: async () => disk?.fill(),
    recover: async () => disk?.free(),
    fileCount: () => null,
    async [Symbol.asyncDispose]() {},
  }
}

async function openBucket(): Promise<Storage> {
  const s3 = await startS3Server()
  const { bucket } = s3.newBucket()
  return {
    settings: {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
    attach: async () => ({ [Symbol.dispose]() {} }),
    fail: () => s3.kill(),
    recover: () => s3.start(),
    fileCount: () => s3.filesIn(bucket).objects.filter((file) => file.endsWith('.png')).length,
    [Symbol.asyncDispose]: () => s3[Symbol.asyncDispose](),
  }
}

const resultCount = 4
const resultFile = plainPng(2048, 2048)
const models = [
  {
    id: 'batch',
    object: 'image',
    parameters: { prompt: {}, n: { maximum: resultCount } },
    required: ['prompt'],
    price: { per_image: 0.1 },
  },
]

describe.each([
  { name: 'a disk that is full', isPossible: mayMount, open: openSmallDisk },
  { name: 'a bucket whose server is down', isPossible: s3ServerUnavailable === null, open: openBucket },
])('several results on $name', ({ isPossible, open }) => {
  it.runIf(isPossible)(
    'a task whose storage fails between two results completes later, with all of them, and is charged once',
    async () => {
      await using storage = await open()
      let hasFailed = false
      const protocol: Protocol = {
        ...falProtocol,
        async respond(request, stage, simulator) {
          if (stage === 'result' && request.url.href.endsWith('image=2') && !hasFailed) {
            hasFailed = true
            await storage.fail()
          }
          return falProtocol.respond(request, stage, simulator)
        },
      }
      await using fal = await Simulator.open(protocol)
      fal.moves = ['succeeded']
      fal.media = resultFile
      const routing = {
        models,
        upstreams: { fal: { driver: 'fal', base_url: fal.origin, api_key: falKey } },
        routes: [{ model: 'batch', upstream: 'fal', upstream_model: 'fal-ai/flux/dev' }],
      }
      await using service = await startServiceWithUpstreams(routing, storage.settings)
      using _attached = await storage.attach(service)
      const balanceBefore = await readBalance(service)
      const id = await service.submit({ model: 'batch', prompt: 'a tin robot', n: resultCount })
      const countFetches = (position: number) =>
        fal.of('result').filter(({ url }) => url.href.endsWith(`image=${position}`)).length
      await vi.waitUntil(() => countFetches(2) > 0, { timeout: 60_000, interval: 50 })
      await sleep(2_000)
      expect(await service.task(id)).toMatchObject({ status: 'processing', amount: 0.4 })
      await storage.recover()

      const endedTask = (await service.until(id, 'completed')) as unknown as Task
      expect(endedTask.amount).toBe(0.4)
      expect(endedTask.results).toHaveLength(resultCount)
      for (const { url } of endedTask.results ?? []) {
        const response = await fetch(url)
        expect([response.status, Buffer.from(await response.arrayBuffer()).equals(resultFile)]).toEqual([200, true])
      }
      expect(fal.jobs).toHaveLength(1)
      expect([countFetches(0), countFetches(1)]).toEqual([1, 1])
      expect([resultCount, null]).toContain(storage.fileCount())
      expect(await readBalance(service)).toBeCloseTo(balanceBefore - 0.4)
    },
    120_000,
  )
})

async function readBalance({ server }: ServiceWithUpstreams): Promise<number> {
  const response = await server.request('GET', '/v2/credits')
  return ((await response.json()) as { balance: number }).balance
}
