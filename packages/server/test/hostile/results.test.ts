import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { packetVideo } from '../packet-video.ts'
import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator } from '../upstreams/simulator.ts'
import { startServiceWithUpstreams, type TaskResponse, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { cpuSecondsOf, proberPidsOf } from './decoder-children.ts'
import { hostileVideos } from './make-videos.ts'
import { mainThreadMs, peakBytes } from './send-hostile.ts'

vi.setConfig({ testTimeout: 300_000 })

const model = 'vidK O3 Video Generation'
const body = { model, prompt: 'a kite over dunes', seconds: 5 }
/**
 * Limit of the main thread's CPU time for an invalid result. Without limits, the worst result takes
 * 15 s of CPU time and 2 GB of memory.
 */
const threadMsMax = 3000
/** Number of times that the service downloads an invalid result. */
const collectionsMax = 3
const grownBytesMax = 200 * 1024 * 1024
/**
 * Each video takes three probers up to their limit of CPU time. By default, only the worst is
 * tested.
 */
const testedVideos = hostileVideos.filter(({ name }) => (isLongRun ? /encryption|codec/ : /encryption/).test(name))

let upstream: Simulator
let service: ServiceWithUpstreams
beforeAll(async () => {
  upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  service = await startServiceWithUpstreams({
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
  })
  await waitForEnd(await submit(await packetVideo()))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

async function submit(video: Buffer): Promise<string> {
  upstream.media = video
  return await service.submit(body)
}

/** Waits until a task ends. Three attempts at the worst video take a minute on a busy machine. */
async function waitForEnd(id: string): Promise<TaskResponse> {
  const readEnded = async (): Promise<TaskResponse | undefined> => {
    const task = await service.task(id)
    return ['completed', 'failed'].includes(task.status) ? task : undefined
  }
  return await vi.waitUntil(readEnded, { timeout: 240_000, interval: 100 })
}

const servicePid = (): number => service.server.process.pid ?? 0

describe.runIf(process.platform === 'linux')('results of a provider', () => {
  it.each(testedVideos)('a result that is $name fails its task within small limits of CPU time and memory', async ({ make }) => {
    const [usedBefore, peakBefore] = [mainThreadMs(servicePid()), peakBytes(servicePid())]
    expect(await waitForEnd(await submit(make()))).toMatchObject({ status: 'failed', error_code: 'upstream_failed', amount: 0 })
    expect(mainThreadMs(servicePid()) - usedBefore).toBeLessThan(threadMsMax)
    expect(peakBytes(servicePid()) - peakBefore).toBeLessThan(grownBytesMax)
    const [attempt] = service.rows('select unresolved from task_attempts order by task_no desc limit 1')
    expect(attempt).toEqual({ unresolved: 'unusable_result' })
  })

  it('a prober that is killed from outside does not count as a failed attempt of the file, and its task completes', async () => {
    const worstVideo = hostileVideos.find(({ name }) => name.includes('encryption'))
    const jobsBefore = upstream.jobs.length
    const id = await submit(worstVideo?.make() ?? Buffer.alloc(0))
    for (let killed = 0; killed < collectionsMax; killed++) {
      const prober = await vi.waitUntil(() => proberPidsOf(servicePid()).find((pid) => cpuSecondsOf(pid) > 1), {
        timeout: 100_000,
      })
      if (killed === collectionsMax - 1) upstream.media = await packetVideo()
      process.kill(prober, 'SIGKILL')
    }
    const { result_url: url = '' } = await waitForEnd(id)
    expect(Buffer.from(await (await service.server.fetch(url)).arrayBuffer())).toEqual(upstream.media)
    expect(upstream.jobs.length - jobsBefore).toBe(1)
  })
})
