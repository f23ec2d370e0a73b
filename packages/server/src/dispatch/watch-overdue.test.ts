import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SqliteStore } from '../db/sqlite/sqlite-store.ts'
import { openFastStore } from '../../test/fast-store.ts'
import type { RouteGrant } from '../db/task-queue.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, startMs } from '../db/store-under-test.ts'
import type { GenerationRequest, Operation, PollOutcome } from '../drivers/driver.ts'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskIds, taskNoOf } from '../identity/task-id.ts'
import type { RouteCost } from '../routing/configuration/definitions.ts'
import { noTelemetry } from '../telemetry/telemetry.ts'
import type { RouteConnection } from '../routing/connection.ts'
import { PollRateLimiter } from '../routing/poll-rate-limiter.ts'
import { createUnresolvedAttempts } from './unresolved-attempts.ts'
import { pollIntervalAfterMs, watchOverdue } from './watch-overdue.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const pools = { upstream: 1, route: 2 }

let dataDir: string
let store: SqliteStore
let watch: AsyncDisposable
let nowMs: number
let outcome: PollOutcome
/** Operations, as JSON, whose polls never get a response. */
let unresponsive: Set<string>
/** Numbers of the route snapshots whose connection can no longer be opened. */
let goneSnapshotNos: Set<number>
let pollLimiter: PollRateLimiter
let isLeader: boolean
/** The operator's cost on the route of all attempts. */
let cost: RouteCost | null
let polledOperations: Operation[]
let cancelledOperations: Operation[]
const nextId = createTaskIds(() => nowMs)

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-overdue-'))
  nowMs = startMs
  outcome = { state: 'running' }
  unresponsive = new Set()
  goneSnapshotNos = new Set()
  pollLimiter = new PollRateLimiter(1_000)
  isLeader = true
  cost = null
  polledOperations = []
  cancelledOperations = []
  const clock = () => nowMs
  store = await openFastStore({ dataDir, clock })
  for (const kind of ['upstream', 'route'] as const) {
    const pool = { no: pools[kind], kind, name: kind, target: kind, unconfirmed_max: null }
    await store.database.insertInto('slot_pools').values(pool).execute()
  }
  const driver = {
    poll: async (operation: Operation, _request: GenerationRequest, signal: AbortSignal) => {
      polledOperations.push(operation)
      if (unresponsive.has(JSON.stringify(operation))) await once(signal, 'abort')
      return outcome
    },
    cancel: async (operation: Operation) => void cancelledOperations.push(operation),
  }
  watch = watchOverdue({
    isLeader: () => isLeader,
    unresolved: createUnresolvedAttempts(store.database, clock),
    routes: {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a route is
      // used
      connect: async (snapshotNo) =>
        goneSnapshotNos.has(snapshotNo) ? undefined : ({ driver, name: 'main', cost } as unknown as RouteConnection),
      pollLimiterOf: (upstreamPool) => (upstreamPool === pools.upstream ? pollLimiter : null),
    },
    store,
    findModelFacts: () => ({
      size: () => ({ width: 64, height: 32 }),
      resultsMax: () => 1,
      charge: () => 1,
      hold: () => 1,
      promptCharactersMax: 5_000,
      deadlineMs: 1000,
    }),
    clock,
    telemetry: noTelemetry,
    logger: createLogger('silent'),
    sweepIntervalMs: 5,
  })
})
afterEach(async () => {
  await watch[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/**
 * Creates a task that was cancelled while its job ran upstream, or while its start was in progress.
 */
async function leaveOverdue(operation: string | null = '{"id":"job-1"}'): Promise<string> {
  const id = nextId()
  await store.accept(newTask({ id, accountNo: await newAccount(store, 'a', 100) }))
  const [claim] = await claimEmbedded(store, 1, leaseMs, { route: 'main', snapshotNo: 1 })
  if (claim !== undefined && operation !== null) await store.recordOperation(claim, 1, operation)
  await store.cancel(id)
  return id
}

/** Like `leaveOverdue`, for an attempt that takes a slot of its route and its upstream. */
async function leaveHoldingSlot(jobId: string, snapshotNo = 1): Promise<string> {
  const id = nextId()
  await store.accept(newTask({ id, accountNo: await newAccount(store, id, 100) }))
  const { waiting } = await store.takeDue(leaseMs, 1)
  const limits = { route: { pool: pools.route, inFlightMax: 10 }, upstream: { pool: pools.upstream, inFlightMax: 10 } }
  const route: RouteGrant = { route: 'main', snapshotNo, limit: 1, deadlineMs: null, pools: limits }
  const [claim] = await store.claim(
    waiting.map(({ lane }) => ({ lane, routes: [route] })),
    leaseMs,
  )
  if (claim === undefined) throw new Error('nothing was claimed')
  await store.beginAttempt(claim, 1)
  await store.recordOperation(claim, 1, JSON.stringify({ id: jobId }))
  await store.cancel(id)
  return id
}

async function readSlotsInFlight(): Promise<number[]> {
  return (await store.readPools()).map(({ inFlight }) => inFlight)
}

async function readListed(id: string) {
  const attempts = store.database.selectFrom('task_attempts').select(['unresolved', 'closed_at', 'closing', 'cost'])
  return attempts.where('task_no', '=', taskNoOf(id)).executeTakeFirst()
}

const waitForSweeps = () => sleep(50)

describe('an attempt that continues upstream', () => {
  it('an overdue attempt is cancelled upstream only once, and stays unresolved while its job runs', async () => {
    const id = await leaveOverdue()
    await vi.waitUntil(() => polledOperations.length === 1, { timeout: 10_000 })
    for (let days = 1; days <= 8; days++) {
      nowMs = startMs + days * dayMs
      await waitForSweeps()
    }
    expect(await readListed(id)).toMatchObject({ unresolved: 'overdue', closed_at: null })
    expect(cancelledOperations).toHaveLength(1)
  })

  it('an overdue attempt is polled at growing intervals, then hourly, and no longer after a week', async () => {
    const pollAgesMs = [0]
    for (let ageMs = 0; ageMs < 8 * dayMs && pollAgesMs.length < 10_000; pollAgesMs.push(ageMs))
      ageMs += pollIntervalAfterMs(ageMs)
    expect(pollIntervalAfterMs(0)).toBe(15_000)
    expect(pollIntervalAfterMs(dayMs)).toBe(hourMs)
    expect(pollIntervalAfterMs(7 * dayMs)).toBe(hourMs)
    expect(pollAgesMs.length).toBeLessThan(400)

    await leaveOverdue()
    await vi.waitUntil(() => polledOperations.length === 1, { timeout: 10_000 })
    nowMs += dayMs
    await vi.waitUntil(() => polledOperations.length === 2, { timeout: 10_000 })
    nowMs += hourMs - 1
    await waitForSweeps()
    expect(polledOperations).toHaveLength(2)
    nowMs += 1
    await vi.waitUntil(() => polledOperations.length === 3, { timeout: 10_000 })
    nowMs += 7 * dayMs
    await waitForSweeps()
    expect(polledOperations).toHaveLength(3)
  })

  it('an overdue attempt is polled again after the clock was set back by a month', async () => {
    await leaveOverdue()
    await vi.waitUntil(() => polledOperations.length === 1, { timeout: 10_000 })
    nowMs -= 30 * dayMs
    await vi.waitUntil(() => polledOperations.length === 2, { timeout: 10_000 })
    await waitForSweeps()
    expect(polledOperations).toHaveLength(2)
  })

  it('an overdue attempt that completes days later is marked as late', async () => {
    const id = await leaveOverdue()
    nowMs += 3 * dayMs
    outcome = {
      state: 'succeeded',
      outputs: [{ contentType: 'video/mp4', location: null }],
      cost: { amount: 2, unit: 'usd' },
    }
    await vi.waitUntil(async () => (await readListed(id))?.unresolved === 'late', { timeout: 10_000 })
    expect(await readListed(id)).toMatchObject({ closed_at: null, cost: 2 })
  })

  it('the cost of an overdue job is unknown until its late result, and then computed from the cost of its route', async () => {
    cost = { perSecond: 0.1, perImage: 0, perTask: 0.05, perUnit: 0.25 }
    const id = await leaveOverdue()
    const costs = async () => store.database.selectFrom('usage').select(['cost', 'cost_unknown', 'charged']).execute()
    expect(await costs()).toEqual([{ cost: 0, cost_unknown: 1, charged: 0 }])
    await store.database
      .updateTable('tasks')
      .set({ parameters: '{"prompt":"x","seconds":6}' })
      .where('no', '=', taskNoOf(id))
      .execute()
    outcome = {
      state: 'succeeded',
      outputs: [{ contentType: 'video/mp4', location: null }],
      cost: { amount: 2, unit: 'usd' },
    }
    await vi.waitUntil(async () => (await readListed(id))?.unresolved === 'late', { timeout: 10_000 })
    expect(await costs()).toEqual([{ cost: 1_150_000, cost_unknown: 0, charged: 0 }])
    expect((await store.verifyCredits()).differences).toEqual([])
  })

  it('an overdue attempt is resolved once the upstream reports that its job failed', async () => {
    const id = await leaveOverdue()
    nowMs += 3 * dayMs
    outcome = { state: 'failed', code: 'upstream_failed', reason: 'It broke.', retryable: false }
    await vi.waitUntil(async () => (await readListed(id))?.closing === 'ended_without_result', { timeout: 10_000 })
  })

  it('an overdue attempt whose job was completed without a result is marked as late, with its cost', async () => {
    cost = { perSecond: 0, perImage: 0, perTask: 2, perUnit: 0 }
    const id = await leaveOverdue()
    outcome = { state: 'failed', code: 'upstream_failed', reason: 'No file.', retryable: false, isCompletedUpstream: true }
    await vi.waitUntil(async () => (await readListed(id))?.unresolved === 'late', { timeout: 10_000 })
    const usage = await store.database.selectFrom('usage').select(['cost', 'cost_unknown']).execute()
    expect(usage).toEqual([{ cost: 2_000_000, cost_unknown: 0 }])
  })

  it('an overdue attempt whose job failed with a charge is closed with its cost', async () => {
    cost = { perSecond: 0, perImage: 0, perTask: 0, perUnit: 0.25 }
    const id = await leaveOverdue()
    const charge = { amount: 2, unit: 'seconds' }
    outcome = { state: 'failed', code: 'cancelled', reason: 'Canceled.', retryable: false, cost: charge }
    await vi.waitUntil(async () => (await readListed(id))?.closing === 'ended_without_result', { timeout: 10_000 })
    expect(await readListed(id)).toMatchObject({ cost: 2 })
    const usage = await store.database.selectFrom('usage').select(['cost', 'cost_unknown']).execute()
    expect(usage).toEqual([{ cost: 500_000, cost_unknown: 0 }])
  })

  it('an overdue attempt is no longer polled or changed once the operator has resolved it', async () => {
    const id = await leaveOverdue()
    await vi.waitUntil(() => polledOperations.length === 1, { timeout: 10_000 })
    const resolvedColumns = { closed_at: nowMs, closing: 'accepted_loss' } as const
    await store.database.updateTable('task_attempts').set(resolvedColumns).where('task_no', '=', taskNoOf(id)).execute()
    nowMs += dayMs
    await waitForSweeps()
    expect(polledOperations).toHaveLength(1)
    expect(await readListed(id)).toMatchObject({ unresolved: 'overdue', closing: 'accepted_loss' })
  })
})

it('an attempt whose submit got no response is marked as lost_reply after 15 minutes', async () => {
  const id = await leaveOverdue(null)
  nowMs += 15 * 60_000
  await waitForSweeps()
  expect(await readListed(id)).toMatchObject({ unresolved: 'overdue', closed_at: null })
  nowMs += 1
  await vi.waitUntil(async () => (await readListed(id))?.unresolved === 'lost_reply', { timeout: 10_000 })
  expect(await readListed(id)).toMatchObject({ closed_at: null })
})

describe('a cancelled task whose job continues upstream', () => {
  const tenMinutes = 10 * 60_000
  const longTimeout = { timeout: 20_000 }

  it('a slot is released once the upstream reports that the job has ended', async () => {
    await leaveHoldingSlot('job-1')
    await vi.waitUntil(() => polledOperations.length === 1, longTimeout)
    expect(await readSlotsInFlight()).toEqual([1, 1])
    outcome = { state: 'failed', code: 'cancelled', reason: 'It was cancelled.', retryable: false }
    nowMs += 15_000
    await vi.waitUntil(async () => (await readSlotsInFlight()).every((inFlight) => inFlight === 0), longTimeout)
  })

  it('slots of cancelled tasks are released after ten minutes, even if the state of their jobs is unknown', async () => {
    unresponsive.add('{"id":"job-1"}')
    goneSnapshotNos.add(2)
    await leaveHoldingSlot('job-1')
    await leaveHoldingSlot('job-2', 2)
    const resolvedId = await leaveHoldingSlot('job-3')
    const closedColumns = { closed_at: nowMs, closing: 'accepted_loss' } as const
    await store.database.updateTable('task_attempts').set(closedColumns).where('task_no', '=', taskNoOf(resolvedId)).execute()
    await vi.waitUntil(() => polledOperations.length > 0, longTimeout)
    nowMs += tenMinutes
    await waitForSweeps()
    expect(await readSlotsInFlight()).toEqual([3, 3])
    nowMs += 1
    await vi.waitUntil(async () => (await readSlotsInFlight()).every((inFlight) => inFlight === 0), longTimeout)
    expect(await readListed(resolvedId)).toMatchObject({ closing: 'accepted_loss' })
  })

  it('polls of cancelled tasks share the request rate of their upstream', async () => {
    pollLimiter.perSecondMax = 0.000_1
    await leaveHoldingSlot('job-1')
    await vi.waitUntil(() => cancelledOperations.length === 1, longTimeout)
    await waitForSweeps()
    expect(polledOperations).toEqual([])
    pollLimiter.perSecondMax = 1_000
    await vi.waitUntil(() => polledOperations.length === 1, longTimeout)
  })

  it('an upstream that sends Retry-After is polled later, and does not delay polls of another upstream', async () => {
    pollLimiter.recordError(new UpstreamThrottled('HTTP 429', 1_000))
    await leaveHoldingSlot('job-1')
    await waitForSweeps()
    await leaveOverdue('{"id":"job-2"}')
    await vi.waitUntil(() => polledOperations.length > 0, longTimeout)
    expect([polledOperations, pollLimiter.isPaused]).toEqual([[{ id: 'job-2' }], true])
    await vi.waitUntil(() => polledOperations.length === 2, longTimeout)
    expect(pollLimiter.isPaused).toBe(false)
  })

  it('an upstream that does not respond does not delay polls of another upstream', async () => {
    isLeader = false
    unresponsive.add('{"id":"job-1"}')
    await leaveHoldingSlot('job-1')
    await leaveOverdue('{"id":"job-2"}')
    isLeader = true
    await vi.waitUntil(() => polledOperations.length === 2, longTimeout)
    nowMs += 15_000
    await vi.waitUntil(() => polledOperations.length === 3, longTimeout)
    expect(polledOperations.slice(1)).toEqual([{ id: 'job-2' }, { id: 'job-2' }])
  })
})
