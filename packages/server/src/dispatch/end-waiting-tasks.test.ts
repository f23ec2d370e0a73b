import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SqliteStore } from '../db/sqlite/sqlite-store.ts'
import { openFastStore } from '../../test/fast-store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { AttemptEnding, Claim, NewTask, RouteGrant } from '../db/task-queue.ts'
import { leaseMs, newAccount, newTask, startMs } from '../db/store-under-test.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskIds, taskNoOf } from '../identity/task-id.ts'
import { endWaitingTasks } from './end-waiting-tasks.ts'

const startDeadlineMs = 3_000
const lane = 7
const [upstreamPool, routePool] = [1, 2]
const grant: RouteGrant = {
  route: 'main',
  snapshotNo: 5,
  limit: 10,
  deadlineMs: null,
  pools: {
    route: { pool: routePool, inFlightMax: 1000 },
    upstream: { pool: upstreamPool, inFlightMax: 1000 },
  },
}
const refusal: AttemptEnding = { state: 'not_accepted', reason: 'The upstream was at capacity.', detail: null }

let dataDir: string
let store: SqliteStore
let sweeper: AsyncDisposable
let nowMs: number
let accountNo: number
let nextId: () => string
/** Ids of the tasks whose end was reported to telemetry. */
let reportedIds: string[]

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-waiting-'))
  nowMs = startMs
  const clock = () => nowMs
  nextId = createTaskIds(clock)
  store = await openFastStore({ dataDir, clock })
  accountNo = await newAccount(store, 'a', 1_000)
  for (const [no, kind] of [
    [upstreamPool, 'upstream'],
    [routePool, 'route'],
  ] as const) {
    await store.database.insertInto('slot_pools').values({ no, kind, name: kind, target: kind, unconfirmed_max: null }).execute()
  }
  reportedIds = []
  const telemetry = { taskEnded: ({ id }: TaskRecord) => void reportedIds.push(id) }
  sweeper = endWaitingTasks({ store, telemetry, startDeadlineMs, clock, logger: createLogger('silent') })
})
afterEach(async () => {
  await sweeper[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

async function submit(overrides: Partial<NewTask> = {}): Promise<string> {
  const id = nextId()
  await store.accept(newTask({ id, accountNo, lane, ...overrides }))
  return id
}

async function claim(): Promise<Claim[]> {
  await store.takeDue(leaseMs, 100)
  return store.claim([{ lane, routes: [grant] }], leaseMs)
}

/**
 * Makes one attempt for each waiting task. Each attempt is refused, after its submit was sent if
 * `isSubmitSent` is true, otherwise before. Returns the number of attempts.
 */
async function refuseAll(isSubmitSent: boolean): Promise<number> {
  const claims = await claim()
  for (const lease of claims) {
    if (isSubmitSent) expect(await store.beginAttempt(lease, lease.attempt.number)).toBe('begun')
    expect(await store.requeue(lease, refusal, nowMs)).toBe(true)
  }
  await store.takeDue(leaseMs, 100)
  return claims.length
}

const statusOf = async (id: string) => (await store.find(id))?.status
const untilFailed = (id: string) => vi.waitUntil(async () => (await statusOf(id)) === 'failed', { timeout: 10_000 })

describe('the start deadline', () => {
  it.each([
    ['before its submit is sent', false],
    ['after its submit was sent', true],
  ])(
    'a task whose route refuses every attempt %s fails at the start deadline, counted from the first due time',
    async (_when, isSubmitSent) => {
      const id = await submit()
      for (let attempts = 0; attempts < 4; attempts++) {
        expect(await statusOf(id)).toBe('queued')
        expect(await refuseAll(isSubmitSent)).toBe(1)
        nowMs += 1_000
      }
      await untilFailed(id)
      expect(await store.find(id)).toMatchObject({
        errorCode: 'upstream_timeout',
        errorMessage: 'No provider accepted the task in time. Submit it again later.',
        chargedMicroCredits: 0,
      })
      await expect.poll(() => reportedIds).toEqual([id])
    },
  )

  it('the start deadline includes the wait for a slot before the first attempt', async () => {
    const id = await submit()
    nowMs += 2_000
    expect(await refuseAll(false)).toBe(1)
    nowMs += 1_500
    await untilFailed(id)
  })

  it('the start deadline includes neither a delay nor the wait for a limit of the account', async () => {
    await store.database.updateTable('accounts').set({ tasks_in_flight_max: 2, over_limit: 'wait' }).execute()
    await store.database
      .updateTable('config_version')
      .set((row) => ({ version: row('version', '+', 1) }))
      .execute()
    const [immediateId, delayedId, limitedId] = [await submit(), await submit({ delayMs: 5_000 }), await submit()]
    expect(await waitsOf(limitedId)).toBe(1)
    nowMs += 4_000
    await untilFailed(immediateId)
    expect([await statusOf(delayedId), await statusOf(limitedId)]).toEqual(['queued', 'queued'])
    // From now on, the delayed task and the limited task may be claimed.
    nowMs += 1_000
    await store.takeDue(leaseMs, 100)
    expect(await waitsOf(limitedId)).toBe(0)
    nowMs += 2_000
    const lateId = await submit()
    nowMs += 2_000
    await untilFailed(limitedId)
    await untilFailed(delayedId)
    expect(await statusOf(lateId)).toBe('queued')
  })

  it('the start deadline does not end a task that a provider has accepted', async () => {
    const id = await submit()
    const [lease] = await claim()
    if (lease === undefined) throw new Error('nothing was claimed')
    await store.beginAttempt(lease, 1)
    await store.recordOperation(lease, 1, '{}')
    nowMs += 4_000
    const waitingId = await submit()
    nowMs += 4_000
    await untilFailed(waitingId)
    expect(await statusOf(id)).toBe('processing')
  })
})

async function waitsOf(id: string): Promise<number | undefined> {
  return (await store.database.selectFrom('tasks').select('waits').where('no', '=', taskNoOf(id)).executeTakeFirst())?.waits
}
