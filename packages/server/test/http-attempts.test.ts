import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AttemptNote, Claim } from '../src/db/task-queue.ts'
import { claimEmbedded } from '../src/db/store-under-test.ts'
import { openHttpService, type HttpService } from './http-service.ts'

const attemptsPath = '/admin/v1/attempts'
const lostUpstream = { code: 'lost_upstream', message: 'Nobody knows.' } as const

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

async function claimTask(): Promise<Claim> {
  await service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt: 'a boat' } })
  const [claim] = await claimEmbedded(service.store, 1, 60_000, { route: 'main', snapshotNo: 3 })
  if (claim === undefined) throw new Error('there was nothing to claim')
  return claim
}

/** Adds a failed attempt and returns its id. */
async function failTask(note: Partial<AttemptNote> = { unresolved: 'lost_reply' }): Promise<string> {
  const claim = await claimTask()
  await service.store.fail(claim, lostUpstream, note)
  return `${claim.id}_1`
}

const get = async (query: string) => (await service.request('GET', attemptsPath + query)).json
const idsOf = async (query: string) => (await get(query)).items.map(({ id }: { id: string }) => id) as string[]
const resolveAttempt = (id: string, body: object) => service.request('POST', `${attemptsPath}/${id}/resolve`, { body })
const listAudited = async () => (await service.request('GET', '/admin/v1/audit')).json.items

it('attempts that an operator must review are listed newest first, page by page', async () => {
  await failTask({})
  const ids = [await failTask(), await failTask({ unresolved: 'late' }), await failTask()]
  await failTask({ detail: 'HTTP 400' })
  expect(await idsOf('?unresolved=true')).toEqual(ids.toReversed())
  expect(await idsOf('?unresolved=true&reason=late')).toEqual([ids[1]])
  const page = await get('?unresolved=true&limit=2')
  expect([page.has_more, page.items.length]).toEqual([true, 2])
  expect(await idsOf(`?unresolved=true&limit=2&cursor=${page.next_cursor}`)).toEqual([ids[0]])
  expect(await idsOf('')).toHaveLength(5)
  expect(await idsOf(`?task=${ids[0]?.slice(0, -2)}`)).toEqual([ids[0]])
  expect((await service.request('GET', `${attemptsPath}?task=task_1`)).json.error.param).toBe('task')
})

it('the list of attempts has all attempts of a task', async () => {
  const claim = await claimTask()
  const refused = { state: 'not_accepted', reason: 'The upstream was at capacity.', detail: 'HTTP 429' } as const
  await service.store.requeue(claim, refused, 0)
  const [secondClaim] = await claimEmbedded(service.store, 1, 60_000, { route: 'second', snapshotNo: 4 })
  if (secondClaim === undefined) throw new Error('there was nothing to claim')
  await service.store.recordOperation(secondClaim, 2, '{"id":"job-1"}')
  const { items, next_cursor } = await get('?limit=1')
  expect(items).toMatchObject([
    { id: `${claim.id}_2`, status: 'running', operation: { id: 'job-1' }, ended: null, route: 'second' },
  ])
  expect((await get(`?cursor=${next_cursor}`)).items).toMatchObject([
    { id: `${claim.id}_1`, status: 'not_accepted', detail: 'HTTP 429', error: 'The upstream was at capacity.', reason: null },
  ])
})

it('an attempt is resolved once, with a note, and the audit log records the resolution', async () => {
  const id = await failTask({ unresolved: 'unusable_result', cost: { amount: 0.4, unit: 'USD' }, detail: 'no video' })
  const response = await resolveAttempt(id, { resolution: 'refunded_upstream', note: 'ticket 4711' })
  expect([response.status, response.json]).toMatchObject([
    200,
    { id, resolution: 'refunded_upstream', note: 'ticket 4711', resolved_at: expect.any(Number), cost: 0.4, cost_unit: 'USD' },
  ])
  expect(await idsOf('?unresolved=true')).toEqual([])
  expect((await service.request('GET', `${attemptsPath}/${id}`)).json).toEqual(response.json)

  const repeated = await resolveAttempt(id, { resolution: 'refunded_upstream', note: 'ticket 4711' })
  expect([repeated.status, repeated.json]).toEqual([200, response.json])
  const otherResolution = await resolveAttempt(id, { resolution: 'accepted_loss' })
  expect([otherResolution.status, otherResolution.json.error.code, otherResolution.json.error.message]).toEqual([
    409,
    'conflict',
    'This attempt was already resolved as refunded_upstream.',
  ])
  expect(await listAudited()).toMatchObject([
    {
      action: 'attempt.resolve',
      target: id,
      before: { reason: 'unusable_result', resolution: null },
      after: { resolution: 'refunded_upstream', note: 'ticket 4711' },
    },
  ])
})

it('an attempt that several operators resolve concurrently is resolved by one of them', async () => {
  const id = await failTask()
  const resolutions = ['was_not_started', 'accepted_loss', 'charged_to_account']
  const statuses = await Promise.all(resolutions.map(async (resolution) => (await resolveAttempt(id, { resolution })).status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect(await listAudited()).toHaveLength(1)
})

it('a resolution of an attempt that needs none, an invalid resolution, an unknown id and an invalid query are rejected', async () => {
  const idWithoutReason = await failTask({})
  expect((await resolveAttempt(idWithoutReason, { resolution: 'accepted_loss' })).json.error).toMatchObject({ code: 'conflict' })
  const id = await failTask()
  const invalid = await resolveAttempt(id, { resolution: 'whatever' })
  expect([invalid.status, invalid.json.error.param]).toEqual([400, 'resolution'])
  expect((await resolveAttempt(id, {})).json.error.param).toBe('resolution')
  const unknownAttempt = id.replace(/.(?=_1$)/, (digit) => (digit === '0' ? '1' : '0'))
  const unknownIds = [id.replace(/_1$/, '_2'), unknownAttempt, 'x', `${id}x`]
  for (const unknownId of unknownIds) {
    const responses = [
      await resolveAttempt(unknownId, { resolution: 'accepted_loss' }),
      await service.request('GET', `${attemptsPath}/${unknownId}`),
    ]
    expect(responses.map(({ json }) => json.error.code)).toEqual(['resource_not_found', 'resource_not_found'])
  }
  expect((await service.request('GET', `${attemptsPath}?cursor=5`)).json.error.param).toBe('cursor')
  expect((await service.request('GET', `${attemptsPath}?unresolved=yes`)).json.error.param).toBe('unresolved')
})
