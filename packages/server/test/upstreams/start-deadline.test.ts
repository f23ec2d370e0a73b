import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const requests = {
  broken: { model: 'vidK O3 Video Generation', prompt: 'a kite over dunes', seconds: 5 },
  busy: { model: 'vidB_1_5_pro_720p', prompt: 'a kite over dunes', seconds: 5 },
  narrow: { model: 'vidM-H3-768p', prompt: 'a kite over dunes', seconds: 5 },
}

let service: ServiceWithUpstreams
let busy: Simulator
let narrow: Simulator
beforeAll(async () => {
  busy = await Simulator.open(openaiProtocol)
  narrow = await Simulator.open(openaiProtocol)
  narrow.media = await packetVideo()
  service = await startServiceWithUpstreams(
    {
      upstreams: {
        broken: { ...upstreamAt(busy), api_key: 'wrong' },
        busy: upstreamAt(busy),
        narrow: { ...upstreamAt(narrow), in_flight_max: 1 },
      },
      routes: Object.entries(requests).map(([name, { model }]) => ({ model, upstream: name, upstream_model: 'sora-2' })),
    },
    { FRAMEGATE_START_DEADLINE: '3' },
  )
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await busy[Symbol.asyncDispose]()
  await narrow[Symbol.asyncDispose]()
})

function upstreamAt({ origin }: Simulator): Record<string, unknown> {
  return { driver: 'openai', base_url: `${origin}/v1`, api_key: openaiKey }
}

async function readHeldCredits(): Promise<number> {
  return ((await (await service.server.request('GET', '/v2/credits')).json()) as { held: number }).held
}

it('tasks whose only route is unavailable end at the start deadline, and their holds are released', async () => {
  // The service refuses the last submits if the upstream's first refusal arrives before them.
  const submits = await Promise.allSettled(Array.from({ length: 8 }, () => service.submit(requests.broken)))
  const ids = submits.flatMap((submit) => (submit.status === 'fulfilled' ? [submit.value] : []))
  expect(ids).not.toEqual([])
  for (const id of ids) {
    const task = await service.until(id, 'failed')
    expect(task).toMatchObject({ error_code: 'upstream_timeout', amount: 0, error: expect.stringContaining('in time') })
  }
  expect(await readHeldCredits()).toBe(0)
  expect((await service.timeline(ids[0] ?? '')).map(({ event }) => event).slice(-2)).toEqual(['failed', 'released'])
})

it('a task that a throttling upstream defers repeatedly ends at the start deadline', async () => {
  const refusal = { status: 429, headers: { 'retry-after': '1' }, json: { error: { code: 'rate_limit_exceeded' } } }
  for (let refusals = 0; refusals < 10; refusals++) busy.next('submit', refusal)
  const task = await service.until(await service.submit(requests.busy), 'failed')
  expect(task).toMatchObject({ error_code: 'upstream_timeout', amount: 0 })
  expect(busy.jobs).toHaveLength(0)
})

it('a started task continues although the task behind it fails at the start deadline', async () => {
  narrow.moves = ['running']
  const firstId = await service.submit(requests.narrow)
  await vi.waitUntil(() => narrow.jobs.length === 1, { timeout: 20_000 })
  const secondId = await service.submit(requests.narrow)
  expect(await service.until(secondId, 'failed')).toMatchObject({ error_code: 'upstream_timeout' })
  expect(await service.task(firstId)).toMatchObject({ status: 'processing' })
  for (const job of narrow.jobs) job.moves = ['succeeded']
  await service.until(firstId, 'completed')
  expect(narrow.jobs).toHaveLength(1)
})
