import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { packetFilm } from '../packet-film.ts'
import { klingKey, klingProtocol } from './kling.protocol.ts'
import { Simulator } from './simulator.ts'
import { openUpstreamService, type UpstreamService } from './upstream-service.ts'

const model = 'vidK O3 Video Generation'
const publicUrl = 'https://gate.example'

let service: UpstreamService
let upstream: Simulator
beforeAll(async () => {
  upstream = await Simulator.open(klingProtocol)
  upstream.media = await packetFilm()
  service = await openUpstreamService(
    {
      upstreams: { main: { driver: 'kling', base_url: upstream.origin, api_key: klingKey } },
      routes: [{ model, upstream: 'main', upstream_model: 'kling-v2-6' }],
    },
    { FRAMEGATE_PUBLIC_URL: publicUrl },
  )
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

/** The address that the upstream was given, at the service's own. */
async function begin(): Promise<{ id: string; path: string }> {
  upstream.moves = ['running']
  const before = upstream.of('submit').length
  const id = await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 })
  await vi.waitUntil(() => upstream.of('submit').length > before, { timeout: 20_000 })
  const address = String(upstream.of('submit').at(-1)?.json.callback_url)
  expect(address.startsWith(`${publicUrl}/api/callbacks/`)).toBe(true)
  return { id, path: address.slice(`${publicUrl}/api`.length) }
}

function call(path: string, body: unknown = { task_status: 'succeed' }): Promise<Response> {
  return service.server.fetch(service.server.baseUrl + path, { method: 'POST', body: JSON.stringify(body) })
}

it('makes the next poll come at once, and is believed in nothing else', async () => {
  const { id, path } = await begin()
  await vi.waitUntil(() => upstream.of('poll').length > 0, { timeout: 20_000 })
  expect((await call(path)).status).toBe(200)
  await vi.waitUntil(() => upstream.of('poll').length > 1, { timeout: 20_000 })
  expect((await service.task(id)).status).toBe('processing')
  for (const job of upstream.jobs) job.moves = ['succeeded']
  for (let calls = 0; calls < 5; calls++) expect((await call(path)).status).toBe(200)
  expect((await service.until(id, 'completed')).amount).toBe(0.6)
  expect((await call(path, { task_status: 'failed' })).status).toBe(200)
  expect((await service.task(id)).status).toBe('completed')
})

it('has no address that can be guessed', async () => {
  const { path } = await begin()
  const [, , route, attempt, token = ''] = path.split('/')
  const other = await begin()
  const [, , , otherAttempt] = other.path.split('/')
  for (const wrong of [
    `/callbacks/${route}/${attempt}/${token.slice(0, -1)}`,
    `/callbacks/${route}/${otherAttempt}/${token}`,
    `/callbacks/99/${attempt}/${token}`,
    `/callbacks/${route}/${attempt}/${'A'.repeat(token.length)}`,
  ]) {
    expect((await call(wrong)).status).toBe(404)
  }
})
