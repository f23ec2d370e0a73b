import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { plainPng } from '../plain-png.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'

const models = {
  listing: 'vidDq3-turbo',
  resending: 'vidK O3 Video Generation',
  throttling: 'vidB_1_5_pro_720p',
  slow: 'imgA_5.0Pro',
}

interface Reply {
  status: number
  json: unknown
  headers?: Record<string, string>
}

interface Submit {
  atMs: number
  prompt: string
}

/** An upstream that can break off the connection of a submit without a response. */
interface BreakingUpstream {
  origin: string
  submits: Submit[]
  server: Server
}

async function openUpstream(
  respondToSubmit: (submit: Submit, count: number) => Reply | 'break off' | Promise<Reply>,
  respondToRead: () => unknown,
): Promise<BreakingUpstream> {
  const submits: Submit[] = []
  async function respond(request: IncomingMessage): Promise<Reply | 'break off'> {
    if (request.method !== 'POST' || request.url?.endsWith('/cancel')) return { status: 200, json: respondToRead() }
    const { prompt } = (await json(request)) as { prompt: string }
    const submit = { atMs: Date.now(), prompt }
    submits.push(submit)
    return respondToSubmit(submit, submits.length)
  }
  const server = createServer((request, response) => {
    void respond(request).then((reply) => {
      if (reply === 'break off') return void request.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      return void response.end(JSON.stringify(reply.json))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, submits, server }
}

const framegateKey = `fg_live_${'a'.repeat(43)}`
const runningTask = () => ({ id: 'task_1', status: 'processing', progress: 1 })
const acceptedReply = (count: number): Reply => ({ status: 202, json: { id: `task_${count}`, status: 'queued' } })
const throttled: Reply = {
  status: 429,
  headers: { 'retry-after': '3' },
  json: { error: { code: 'rate_limited', message: 'slow down' } },
}
const image = plainPng(64, 64).toString('base64')

/** All tests share one service. Concurrent ones have a model and an upstream each. */
let service: ServiceWithUpstreams
let listing: BreakingUpstream
let resending: BreakingUpstream
let throttling: BreakingUpstream
let slow: BreakingUpstream

beforeAll(async () => {
  listing = await openUpstream(
    (_submit, count) => (count === 1 ? 'break off' : { status: 200, json: { task_id: `job${count}`, state: 'created' } }),
    () => ({ tasks: [], next_page_token: '', state: 'processing', creations: [] }),
  )
  resending = await openUpstream((_submit, count) => (count === 1 ? 'break off' : acceptedReply(count)), runningTask)
  throttling = await openUpstream(
    (_submit, count) => (count === 1 ? 'break off' : count === 2 ? throttled : acceptedReply(count)),
    runningTask,
  )
  slow = await openUpstream(
    () => sleep(4_000, { status: 200, json: { data: [{ b64_json: image }] } }),
    () => ({}),
  )
  const framegateUpstream = { driver: 'framegate', api_key: framegateKey }
  service = await startServiceWithUpstreams({
    upstreams: {
      listing: { driver: 'vidu', base_url: listing.origin, api_key: 'key', in_flight_max: 100 },
      resending: { ...framegateUpstream, base_url: resending.origin },
      throttling: { ...framegateUpstream, base_url: throttling.origin },
      slow: { driver: 'openai', base_url: `${slow.origin}/v1`, api_key: 'key' },
    },
    routes: [
      { model: models.listing, upstream: 'listing', upstream_model: 'viduq3-turbo' },
      { model: models.resending, upstream: 'resending', upstream_model: models.resending },
      { model: models.throttling, upstream: 'throttling', upstream_model: models.throttling },
      { model: models.slow, upstream: 'slow', upstream_model: 'gpt-image-1', deadline: 1 },
    ],
  })
  await service.server.request('POST', '/admin/v1/brands/brand_default/models', { model: models.slow, visibility: 'invocable' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  for (const { server } of [listing, resending, throttling, slow]) {
    server.closeAllConnections()
    server.close()
  }
})

function readAttempt(id: string): Record<string, unknown> | undefined {
  return service.rows(`select state, unresolved, operation, holds_slot from task_attempts where task_no = ${taskNoOf(id)}`)[0]
}

it.concurrent('a submit without a response does not block the next one while its job is looked up', async () => {
  const lostId = await service.submit({ model: models.listing, prompt: 'first' })
  await vi.waitUntil(() => listing.submits.length === 1, { timeout: 20_000 })
  await service.submit({ model: models.listing, prompt: 'second' })
  await vi.waitUntil(() => listing.submits.length > 1, { timeout: 10_000 })
  expect(readAttempt(lostId)).toMatchObject({ state: 'starting', holds_slot: 1 })
})

it.concurrent('a submit whose task is cancelled while its job is looked up is not sent again', async () => {
  const id = await service.submit({ model: models.resending, prompt: 'a kite' })
  await vi.waitUntil(() => readAttempt(id)?.['state'] === 'starting' && resending.submits.length === 1, { timeout: 20_000 })
  await service.server.request('POST', `/v2/model-center/tasks/${id}/cancel`)
  // The first look-up comes after two seconds.
  await sleep(3_000)
  expect(resending.submits).toHaveLength(1)
  expect(readAttempt(id)).toMatchObject({ state: 'failed', unresolved: 'lost_reply', holds_slot: 0 })
})

it.concurrent('a submit that is repeated to look up its job waits for Retry-After and is then accepted', async () => {
  const id = await service.submit({ model: models.throttling, prompt: 'a kite' })
  await vi.waitUntil(() => readAttempt(id)?.['state'] === 'started', { timeout: 15_000 })
  const [, refused, repeated, ...laterSubmits] = throttling.submits
  expect(laterSubmits).toEqual([])
  expect((repeated?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(3_000)
})

it.concurrent('a task ends at its deadline while its submit has no response, and a job that was started anyway is recorded', async () => {
  const id = await service.submit({ model: models.slow, prompt: 'a kite' })
  await vi.waitUntil(() => slow.submits.length === 1, { timeout: 20_000 })
  await service.until(id, 'failed')
  expect(Date.now() - (slow.submits[0]?.atMs ?? 0)).toBeLessThan(3_000)
  expect(await service.task(id)).toMatchObject({ error_code: 'upstream_timeout' })
  expect(readAttempt(id)).toMatchObject({ operation: null, unresolved: 'overdue', holds_slot: 1 })
  await vi.waitUntil(() => readAttempt(id)?.['holds_slot'] === 0, { timeout: 10_000 })
  expect(readAttempt(id)).toMatchObject({ operation: expect.any(String), unresolved: 'overdue' })
})

it('SIGTERM ends a service within 2.5 seconds, even if it polls jobs of an earlier process', async () => {
  // Two tasks are submitted, because the first submit to this upstream gets no response.
  for (const prompt of ['one', 'another']) await service.submit({ model: models.listing, prompt })
  const listStarted = () =>
    service.rows("select no, lease_fence from tasks where no in (select task_no from task_attempts where state = 'started')")
  await vi.waitUntil(() => listStarted().length > 0, { timeout: 20_000 })
  const startedBefore = new Set(listStarted().map(({ no }) => no))
  await service.killAndRestart()
  // Tasks that started after the restart do not count.
  const areClaimedAgain = () => listStarted().every(({ no, lease_fence: fence }) => !startedBefore.has(no) || fence === 2)
  await vi.waitUntil(areClaimedAgain, { timeout: 20_000 })
  const stopsAtMs = Date.now()
  service.server.process.kill('SIGTERM')
  await once(service.server.process, 'exit')
  const tookMs = Date.now() - stopsAtMs
  await service.killAndRestart()
  // The grace period for results that are being collected is three seconds.
  expect(tookMs).toBeLessThan(2_500)
})
