import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeAccount } from '../src/auth/accounts.ts'
import type { Claim } from '../src/db/task-queue.ts'
import { openHttpService, type HttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const video = { model: 'vidDq3-turbo', prompt: 'A kite over a beach', seconds: 10 }
let service: HttpService

beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const submit = async (): Promise<{ id: string; amount: number }> =>
  (await service.request('POST', tasksPath, { body: video })).json
const readTimeline = async (id: string) => (await service.request('GET', `${tasksPath}/${id}/timeline`)).json

it('a timeline begins with the submit and its hold', async () => {
  const { id, amount } = await submit()
  const { object, task, events } = await readTimeline(id)
  expect([object, task]).toEqual(['timeline', id])
  expect(events).toEqual([
    { event: 'accepted', at: expect.any(Number) },
    { event: 'held', at: events[0].at, amount },
    expect.objectContaining({ event: 'waiting' }),
  ])
  await service.request('POST', `${tasksPath}/${id}/cancel`)
  expect((await readTimeline(id)).events.slice(2)).toEqual([
    { event: 'failed', at: expect.any(Number), error_code: 'cancelled', reason: 'The task was cancelled.' },
    { event: 'released', at: expect.any(Number), amount, reason: expect.stringContaining('nothing is charged') },
  ])
})

it('the timeline of a completed task shows its attempt, the charge and the released rest of the hold', async () => {
  const { id, amount } = await submit()
  await service.startAll()
  expect((await readTimeline(id)).events.at(-1)).toMatchObject({ event: 'attempt_started', attempt: 1, route: 'embedded' })
  await service.complete(id, { durationMs: 8_000, chargeMicroCredits: 300_000 })
  const { events } = await readTimeline(id)
  expect(events.map(({ event }: { event: string }) => event)).toEqual([
    'accepted',
    'held',
    'attempt_started',
    'attempt_ended',
    'completed',
    'charged',
    'released',
  ])
  expect(events[3]).toMatchObject({ outcome: 'succeeded', attempt: 1 })
  expect(events[5].amount).toBe(0.3)
  expect(events[5].amount + events[6].amount).toBeCloseTo(amount, 9)
})

it('a timeline is hidden from other accounts', async () => {
  const { id } = await submit()
  const { key } = await service.newAccount(1)
  const response = await service.request('GET', `${tasksPath}/${id}/timeline`, { key })
  expect([response.status, response.json.error.code]).toEqual([404, 'task_not_found'])
})

const operatorsRoutes = [{ route: 'embedded', upstream: 'embedded', condition: 'open', until: null }]
const readLastEvent = async (id: string, key?: string) =>
  (await service.request('GET', `${tasksPath}/${id}/timeline`, key === undefined ? {} : { key })).json.events.at(-1)

const issueClientKey = async (accountNo = service.accountNo) =>
  (await service.keys.issueKey({ accountNo, name: 'client', scopes: ['tasks:read', 'tasks:write'], expiresAtMs: null })).key
const pausePool = (kind: 'route' | 'upstream', name: string, condition: 'throttled' | 'unavailable', untilMs: number) =>
  service.changePool(kind, name, { kind: 'pause', untilMs, refusals: 1, condition })

async function claimRouted(): Promise<Claim[]> {
  const { waiting, pools } = await service.store.takeDue(30_000, 10)
  service.routes.observe(pools)
  const claims = await service.store.claim(service.routes.allocate(waiting, 10).grants, 30_000)
  service.routes.observe(await service.store.readPools())
  return claims
}

describe('the last event of the timeline of a waiting task', () => {
  const model = 'vidG_video3'

  /**
   * Sets two routes of equal priority for one model, each to an upstream of its own. `limits` are
   * fields of both upstreams, such as `in_flight_max`.
   */
  async function setRoutes(limits: object = {}): Promise<void> {
    for (const name of ['deer', 'elk']) {
      const upstream = { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-4711', ...limits }
      await service.request('PUT', `/admin/v1/upstreams/studio-${name}`, { body: upstream })
      const route = { model, upstream: `studio-${name}`, upstream_model: 'sora-2' }
      await service.request('PUT', `/admin/v1/routes/${name}`, { body: route })
    }
  }
  const submitRouted = async (): Promise<string> =>
    (await service.request('POST', tasksPath, { body: { model, prompt: 'a deer', seconds: 8 } })).json.id

  beforeEach(async () => {
    await service[Symbol.asyncDispose]()
    service = await openHttpService()
  })

  it('the last event of a timeline says that the task is about to be started, and names routes only for an operator', async () => {
    const { id } = await submit()
    expect(await readLastEvent(id)).toEqual({ event: 'waiting', at: expect.any(Number), for: 'start', routes: operatorsRoutes })
    expect(await readLastEvent(id, await issueClientKey())).toEqual({ event: 'waiting', at: expect.any(Number), for: 'start' })
    await service.startAll()
    expect(await readLastEvent(id)).toMatchObject({ event: 'attempt_started' })
  })

  it('the last event of a timeline names no route for a key with the scope admin of another brand', async () => {
    const { json: brand } = await service.request('POST', '/admin/v1/brands', { body: { name: 'N', hosts: ['n.example.com'] } })
    const { no } = service.brands.all().find(({ id }) => id === brand.id) ?? { no: 0 }
    const { key } = await service.newAccount(100, ['tasks:read', 'tasks:write', 'admin'], {}, { no })
    const host = 'n.example.com'
    const { json } = await service.request('POST', tasksPath, { body: video, key, host })
    const { events } = (await service.request('GET', `${tasksPath}/${json.id}/timeline`, { key, host })).json
    expect(events.at(-1)).toEqual({ event: 'waiting', at: expect.any(Number), for: 'start' })
  })

  it('the last event of a timeline says that a limit of the account delays the task', async () => {
    const { key, accountId, accountNo } = await service.newAccount(100)
    await changeAccount(service.store, accountId, { tasksInFlightMax: 1, overLimit: 'wait' })
    const client = await issueClientKey(accountNo)
    const ids: string[] = []
    for (let i = 0; i < 2; i++) ids.push((await service.request('POST', tasksPath, { body: video, key })).json.id)
    expect(await readLastEvent(ids[1] ?? '', client)).toEqual({ event: 'waiting', at: expect.any(Number), for: 'account_limit' })
    await service.request('POST', `${tasksPath}/${ids[0]}/cancel`, { key })
    expect(await readLastEvent(ids[1] ?? '', client)).toMatchObject({ for: 'start' })
  })

  it('the last event of a timeline says that the task waits for the end of its delay, and when that is', async () => {
    const body = { ...video, simulate: { queued_seconds: 60 } }
    const { id, created } = (await service.request('POST', tasksPath, { body })).json
    const event = await readLastEvent(id)
    expect(event).toMatchObject({ for: 'delay', routes: operatorsRoutes })
    expect(event.next_try - created).toBeGreaterThanOrEqual(60)
    expect(event.next_try - created).toBeLessThanOrEqual(62)
  })

  it('the last event of a timeline says when the first pause of throttled routes ends', async () => {
    await setRoutes()
    const id = await submitRouted()
    const [soonMs, laterMs] = [Date.now() + 30_000, Date.now() + 90_000]
    await pausePool('route', 'deer', 'throttled', laterMs)
    await pausePool('upstream', 'studio-elk', 'throttled', soonMs)
    const waiting = { event: 'waiting', at: expect.any(Number), for: 'provider_throttled', next_try: Math.ceil(soonMs / 1000) }
    expect(await readLastEvent(id)).toEqual({
      ...waiting,
      routes: [
        { route: 'deer', upstream: 'studio-deer', condition: 'throttled', until: Math.ceil(laterMs / 1000) },
        { route: 'elk', upstream: 'studio-elk', condition: 'throttled', until: Math.ceil(soonMs / 1000) },
      ],
    })
    const clientTimeline = await service.request('GET', `${tasksPath}/${id}/timeline`, { key: await issueClientKey() })
    expect(clientTimeline.json.events.at(-1)).toEqual(waiting)
    expect(clientTimeline.text).not.toContain('studio')
  })

  it('the last event of a timeline says that the provider is unavailable if all routes are, and that it throttles if one route is throttled', async () => {
    await setRoutes()
    const id = await submitRouted()
    await pausePool('route', 'deer', 'unavailable', Date.now() + 30_000)
    await pausePool('route', 'elk', 'unavailable', Date.now() + 30_000)
    expect(await readLastEvent(id)).toMatchObject({ for: 'provider_unavailable', next_try: expect.any(Number) })
    await service.changePool('route', 'elk', { kind: 'reopen' })
    await pausePool('route', 'elk', 'throttled', Date.now() + 30_000)
    expect(await readLastEvent(id)).toMatchObject({ for: 'provider_throttled' })
  })

  it('the last event of a timeline says that the task waits for a free slot while the routes are at their limit', async () => {
    await setRoutes({ in_flight_max: 1 })
    const ids = [await submitRouted(), await submitRouted(), await submitRouted()]
    expect(await claimRouted()).toHaveLength(2)
    const event = await readLastEvent(ids[2] ?? '')
    expect(event).toMatchObject({ for: 'free_slot', routes: [{ condition: 'open', until: null }, {}] })
    expect(event).not.toHaveProperty('next_try')
  })

  it('the last event of a timeline says that the task is about to be started while a route is reserved and nothing was sent', async () => {
    await setRoutes()
    const id = await submitRouted()
    const [claim] = await claimRouted()
    const { events } = await readTimeline(id)
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['accepted', 'held', 'waiting'])
    expect(events[2]).toMatchObject({ for: 'start' })
    expect(await service.store.beginAttempt(claim ?? { id: '', fence: 0 }, 1)).toBe('begun')
    expect((await readTimeline(id)).events.at(-1)).toMatchObject({ event: 'attempt_started', attempt: 1 })
  })

  it('the last event of a timeline comes after the end of a rejected attempt', async () => {
    await setRoutes()
    const id = await submitRouted()
    const [claim] = await claimRouted()
    const lease = claim ?? { id: '', fence: 0 }
    await service.store.beginAttempt(lease, 1)
    const end = { state: 'not_accepted', reason: 'The upstream was at capacity.', detail: null } as const
    expect(await service.store.requeue(lease, end, Date.now())).toBe(true)
    for (const name of ['deer', 'elk']) await pausePool('route', name, 'throttled', Date.now() + 30_000)
    const { events } = await readTimeline(id)
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      'accepted',
      'held',
      'attempt_started',
      'attempt_ended',
      'waiting',
    ])
    expect(events[4]).toMatchObject({ for: 'provider_throttled' })
  })
})
