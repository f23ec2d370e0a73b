import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const tasks = '/v2/model-center/tasks'
const film = { model: 'vidDq3-turbo', prompt: 'A kite over a beach', seconds: 10 }
let service: HttpService

beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const submit = async (): Promise<{ id: string; amount: number }> => (await service.request('POST', tasks, { body: film })).json
const timelineOf = async (id: string) => (await service.request('GET', `${tasks}/${id}/timeline`)).json

it('begins with the submit and what it has held', async () => {
  const { id, amount } = await submit()
  const { object, task, events } = await timelineOf(id)
  expect([object, task]).toEqual(['timeline', id])
  expect(events).toEqual([
    { event: 'accepted', at: expect.any(Number) },
    { event: 'held', at: events[0].at, amount },
  ])
  await service.request('POST', `${tasks}/${id}/cancel`)
  expect((await timelineOf(id)).events.slice(2)).toEqual([
    { event: 'failed', at: expect.any(Number), error_code: 'cancelled', reason: 'The task was cancelled.' },
    { event: 'released', at: expect.any(Number), amount, reason: expect.stringContaining('nothing is charged') },
  ])
})

it('shows what was charged, and why the rest was given back', async () => {
  const { id, amount } = await submit()
  await service.startAll()
  expect((await timelineOf(id)).events.at(-1)).toMatchObject({ event: 'attempt_started', attempt: 1, route: 'embedded' })
  await service.complete(id, { durationMs: 8_000, chargeMicroCredits: 300_000 })
  const { events } = await timelineOf(id)
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

it('tells nobody else of it', async () => {
  const { id } = await submit()
  const { key } = await service.newAccount(1)
  const answer = await service.request('GET', `${tasks}/${id}/timeline`, { key })
  expect([answer.status, answer.json.error.code]).toEqual([404, 'task_not_found'])
})
