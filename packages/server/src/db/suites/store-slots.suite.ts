import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import type { TaskRecord } from '../task-queries.ts'
import type { Claim, PoolState, RouteGrant } from '../task-queue.ts'
import { leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { closeBalanced, openWithAccount } from '../store-with-account.ts'

const lane = 7
const [upstreamPool, routePool] = [1, 2]
const failure = { code: 'upstream_failed', message: 'x' } as const

function grant(limit: number, upstreamMax = 1000, routeMax = 1000): RouteGrant {
  return {
    route: 'main',
    snapshotNo: 5,
    limit,
    deadlineMs: 20_000,
    pools: {
      route: { pool: routePool, inFlightMax: routeMax },
      upstream: { pool: upstreamPool, inFlightMax: upstreamMax },
    },
  }
}

/** Requirements of every store: slot pools, and attempts that hold slots. */
export function describeSlots(engine: StoreUnderTest): void {
  describe(`slots of the store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 1_000_000))
      for (const [no, kind] of [
        [upstreamPool, 'upstream'],
        [routePool, 'route'],
      ] as const) {
        await store.database
          .insertInto('slot_pools')
          .values({ no, kind, name: kind, target: kind, unconfirmed_max: null })
          .execute()
      }
    })
    afterEach(() => closeBalanced(engine, store))

    async function accept(count = 1): Promise<TaskRecord[]> {
      const outcomes = await Promise.all(
        Array.from({ length: count }, () => store.accept(newTask({ id: nextId(), accountNo, lane }))),
      )
      return outcomes.map((outcome) => {
        if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
        return outcome.task
      })
    }

    async function claim(...routes: RouteGrant[]): Promise<Claim[]> {
      const { claims } = await store.takeDue(leaseMs, 100)
      return [...claims, ...(await store.claim([{ lane, routes }], leaseMs))]
    }

    async function claimOne(): Promise<Claim> {
      const [onlyClaim] = await claim(grant(1))
      if (onlyClaim === undefined) throw new Error('nothing was claimed')
      return onlyClaim
    }

    async function listPools(): Promise<PoolState[]> {
      return [...(await store.takeDue(leaseMs, 100)).pools].toSorted((a, b) => a.no - b.no)
    }

    async function countInFlight(): Promise<number[]> {
      return (await listPools()).map((pool) => pool.inFlight)
    }

    async function listUnconfirmed(): Promise<number[]> {
      return (await listPools()).map((pool) => pool.unconfirmed)
    }

    function listAttempts() {
      return store.database
        .selectFrom('task_attempts')
        .select(['number', 'state', 'unresolved', 'holds_slot'])
        .orderBy('task_no')
        .orderBy('number')
        .execute()
    }

    it('a claim for an upstream reserves a slot in both pools, and its task stays queued until the attempt begins', async () => {
      const [task] = await accept()
      const claimed = await claimOne()
      expect(claimed).toMatchObject({
        id: task?.id,
        fence: 1,
        task: { status: 'queued', version: 1, startedAtMs: null },
        attempt: {
          number: 1,
          state: 'assigned',
          resumed: false,
          route: 'main',
          snapshotNo: 5,
          deadlineMs: 20_000,
          pools: { route: routePool, upstream: upstreamPool },
        },
      })
      expect([await countInFlight(), await listUnconfirmed()]).toEqual([
        [1, 1],
        [1, 1],
      ])
      nowMs += 10
      expect(await store.beginAttempt(claimed, 1)).toBe('begun')
      expect(await store.beginAttempt(claimed, 1)).toBe('begun')
      expect(await store.find(claimed.id)).toMatchObject({ status: 'processing', version: 2, startedAtMs: nowMs })
      // A worker repeats the call if the first response was lost.
      expect(await store.recordOperation(claimed, 1, '{"job":1}')).toBe(true)
      expect(await store.recordOperation(claimed, 1, '{"job":1}')).toBe(true)
      expect([await countInFlight(), await listUnconfirmed()]).toEqual([
        [1, 1],
        [0, 0],
      ])
      expect(await store.complete(claimed, [resultOf(claimed)], 10)).toBe(true)
      expect(await countInFlight()).toEqual([0, 0])
    })

    it('claims never exceed the limit of a route or of its upstream, also after a restart', async () => {
      await accept(20)
      const claims = await claim(grant(10, 8, 3))
      expect(claims).toHaveLength(3)
      expect(await claim(grant(10, 8, 3))).toHaveLength(0)
      claims.push(...(await claim(grant(10, 8, 100))))
      expect(claims).toHaveLength(8)
      for (const begunClaim of claims) await store.beginAttempt(begunClaim, 1)
      store = await engine.reopen(() => nowMs)
      expect(await countInFlight()).toEqual([8, 8])
      expect(await store.claim([{ lane, routes: [grant(10, 8, 100)] }], leaseMs)).toHaveLength(0)
      expect(await store.claim([{ lane, routes: [grant(10, 9, 100)] }], leaseMs)).toHaveLength(1)
    })

    it('tasks that one claim assigns to two routes count together toward the limit of their pools', async () => {
      await accept(20)
      expect(await claim(grant(3, 5), grant(9, 5))).toHaveLength(5)
    })

    it('the waiting tasks of each lane are counted up to a maximum', async () => {
      await accept(5)
      await store.accept(newTask({ id: nextId(), accountNo, lane: 3 }))
      const count = async (max: number) =>
        [...(await store.takeDue(leaseMs, max)).waiting]
          .toSorted((a, b) => a.lane - b.lane)
          .map((waitingLane) => [waitingLane.lane, waitingLane.tasks])
      expect(await count(4)).toEqual([
        [3, 1],
        [lane, 4],
      ])
      await claim(grant(5))
      expect(await count(4)).toEqual([[3, 1]])
    })

    it('a paused pool allows no claim until its pause ends, then a single attempt, and two once that one was accepted', async () => {
      await accept(20)
      await store.changePool(routePool, { kind: 'pause', untilMs: nowMs + 1000, refusals: 1, condition: 'throttled' })
      expect(await claim(grant(10))).toEqual([])
      nowMs += 1000
      const [first, ...others] = await claim(grant(10))
      expect(others).toEqual([])
      expect(await claim(grant(10))).toEqual([])
      const claimCounts = []
      for (let probe = first; claimCounts.length < 6 && probe !== undefined;) {
        await store.beginAttempt(probe, 1)
        await store.recordOperation(probe, 1, '{}')
        await store.changePool(routePool, { kind: 'confirm' })
        const nextClaims = await claim(grant(2))
        claimCounts.push(nextClaims.length)
        for (const { id, fence } of nextClaims.slice(1)) await store.recordOperation({ id, fence }, 1, '{}')
        probe = nextClaims[0]
      }
      expect(claimCounts[0]).toBe(2)
      expect((await listPools())[1]).toMatchObject({ refusals: 0, condition: 'open' })
    })

    it('a later pause never shortens the current one, and an accepted attempt during a pause does not end it', async () => {
      await accept(2)
      const pause = { kind: 'pause', condition: 'throttled' } as const
      await store.changePool(upstreamPool, { ...pause, untilMs: nowMs + 5000, refusals: 2 })
      await store.changePool(upstreamPool, { ...pause, untilMs: nowMs + 1000, refusals: 1, condition: 'unavailable' })
      await store.changePool(upstreamPool, { ...pause, untilMs: nowMs + 1000, refusals: 1 })
      await store.changePool(upstreamPool, { kind: 'confirm' })
      const paused = { pausedUntilMs: nowMs + 5000, unconfirmedMax: 1, refusals: 2, condition: 'unavailable' }
      expect((await listPools())[0]).toMatchObject(paused)
      store = await engine.reopen(() => nowMs)
      expect((await listPools())[0]).toMatchObject(paused)
      await store.changePool(upstreamPool, { kind: 'reopen' })
      expect((await listPools())[0]).toMatchObject({ unconfirmedMax: 1, refusals: 0, condition: 'open' })
      expect(await claim(grant(2))).toHaveLength(1)
    })

    it('a pause ends when the clock is set back by an hour, and the next pause has its full duration', async () => {
      const pause = { kind: 'pause', refusals: 1, condition: 'throttled' } as const
      await store.changePool(upstreamPool, { ...pause, untilMs: nowMs + 60_000 })
      nowMs -= 3_600_000
      await accept(2)
      const [claimed, ...others] = await claim(grant(2))
      expect(others).toEqual([])
      expect(await store.beginAttempt(claimed!, 1)).toBe('begun')
      await store.recordOperation(claimed!, 1, '{}')
      await store.changePool(upstreamPool, { kind: 'confirm' })
      expect((await listPools())[0]).toMatchObject({ unconfirmedMax: 2, refusals: 0, condition: 'open' })
      await store.changePool(upstreamPool, { ...pause, untilMs: nowMs + 60_000 })
      expect((await listPools())[0]).toMatchObject({ pausedUntilMs: nowMs + 60_000, unconfirmedMax: 1 })
      expect(await claim(grant(1))).toEqual([])
      nowMs += 60_000
      const claims = await claim(grant(1))
      expect(claims.filter(({ attempt }) => !attempt.resumed)).toHaveLength(1)
    })

    it('each accepted attempt doubles the limit of unconfirmed attempts of a pool, and the sixth removes the limit', async () => {
      await store.changePool(routePool, { kind: 'pause', untilMs: nowMs, refusals: 1, condition: 'throttled' })
      const limits = []
      for (let successes = 0; successes < 6; successes++) {
        await store.changePool(routePool, { kind: 'confirm' })
        limits.push((await listPools())[1]?.unconfirmedMax)
      }
      expect(limits).toEqual([2, 4, 8, 16, 32, null])
    })

    it('an attempt does not begin while one of its pools is paused', async () => {
      await accept()
      const claimed = await claimOne()
      await store.changePool(upstreamPool, { kind: 'pause', untilMs: nowMs + 1000, refusals: 1, condition: 'unavailable' })
      expect(await store.beginAttempt(claimed, 1)).toBe('paused')
      expect(await store.find(claimed.id)).toMatchObject({ status: 'queued', version: 1 })
      nowMs += 1000
      expect(await store.beginAttempt(claimed, 1)).toBe('begun')
    })

    it('attempts that were assigned before a pause begin one at a time after it', async () => {
      await accept(3)
      const [first, second, third] = await claim(grant(3))
      await store.changePool(routePool, { kind: 'pause', untilMs: nowMs + 1000, refusals: 1, condition: 'throttled' })
      nowMs += 1000
      expect(await store.beginAttempt(first!, 1)).toBe('paused')
      await store.release([first!])
      expect(await store.beginAttempt(second!, 1)).toBe('paused')
      await store.release([second!])
      expect(await store.beginAttempt(third!, 1)).toBe('begun')
      expect(await claim(grant(3))).toEqual([])
    })

    it('a task that is cancelled before its start is never started and releases its slot', async () => {
      await accept()
      const claimed = await claimOne()
      expect(await store.cancel(claimed.id)).toBe(true)
      expect(await store.beginAttempt(claimed, 1)).toBe('missed')
      expect(await countInFlight()).toEqual([0, 0])
      expect(await listAttempts()).toEqual([{ number: 1, state: 'not_accepted', unresolved: null, holds_slot: 0 }])
    })

    it('a task that is cancelled after its start keeps its slot until its job has ended', async () => {
      await accept(2)
      const [begunClaim, startedClaim] = await claim(grant(2))
      await store.beginAttempt(begunClaim!, 1)
      await store.beginAttempt(startedClaim!, 1)
      await store.recordOperation(startedClaim!, 1, '{}')
      for (const { id } of [begunClaim!, startedClaim!]) expect(await store.cancel(id)).toBe(true)
      expect([await countInFlight(), await listUnconfirmed()]).toEqual([
        [2, 2],
        [0, 0],
      ])
      expect(await listAttempts()).toMatchObject([
        { state: 'failed', unresolved: 'overdue' },
        { state: 'failed', unresolved: 'overdue' },
      ])
      store = await engine.reopen(() => nowMs)
      expect(await countInFlight()).toEqual([2, 2])
      for (const { id } of [begunClaim!, startedClaim!, startedClaim!]) await store.releaseSlot(id, 1)
      expect(await countInFlight()).toEqual([0, 0])
    })

    it('an attempt whose response was lost keeps its slot and no longer counts as unconfirmed', async () => {
      await accept(5)
      await store.changePool(routePool, { kind: 'pause', untilMs: nowMs, refusals: 1, condition: 'unavailable' })
      const claimed = await claimOne()
      expect(await claim(grant(1))).toEqual([])
      await store.markReplyLost(claimed.id, 1)
      // An attempt without a sent submit has no response that could be lost.
      expect(await listUnconfirmed()).toEqual([1, 1])
      await store.beginAttempt(claimed, 1)
      for (const { id } of [claimed, claimed]) await store.markReplyLost(id, 1)
      // Reads the pools directly. `takeDue` would take over the leases of due tasks after a
      // restart.
      const counts = async () => {
        const states = (await store.readPools()).toSorted((a, b) => a.no - b.no)
        return [states.map((pool) => pool.inFlight), states.map((pool) => pool.unconfirmed)]
      }
      expect(await counts()).toEqual([
        [1, 1],
        [0, 0],
      ])
      const refused = await claimOne()
      await store.beginAttempt(refused, 1)
      await store.markReplyLost(refused.id, 1)
      const cancelled = await claimOne()
      await store.beginAttempt(cancelled, 1)
      await store.markReplyLost(cancelled.id, 1)
      const failed = await claimOne()
      await store.beginAttempt(failed, 1)
      await store.markReplyLost(failed.id, 1)
      store = await engine.reopen(() => nowMs)
      expect(await counts()).toEqual([
        [4, 4],
        [0, 0],
      ])
      expect(await store.claim([{ lane, routes: [grant(5)] }], leaseMs)).toHaveLength(1)
      expect(await store.recordOperation(claimed, 1, '{"job":1}')).toBe(true)
      await store.requeue(refused, { state: 'not_accepted', reason: 'x', detail: null }, nowMs + 60_000)
      await store.cancel(cancelled.id)
      await store.fail(failed, failure, { unresolved: 'lost_reply' })
      expect(await counts()).toEqual([
        [3, 3],
        [1, 1],
      ])
      await store.releaseSlot(cancelled.id, 1)
      store = await engine.reopen(() => nowMs)
      expect(await counts()).toEqual([
        [2, 2],
        [1, 1],
      ])
    })

    it('a failed attempt frees its slot, and an overdue attempt keeps its slot', async () => {
      await accept(2)
      const [first, second] = await claim(grant(2))
      for (const { id, fence } of [first!, second!]) await store.beginAttempt({ id, fence }, 1)
      await store.fail(first!, failure, { unresolved: 'lost_reply' })
      expect(await countInFlight()).toEqual([1, 1])
      await store.fail(second!, failure, { unresolved: 'overdue' })
      expect([await countInFlight(), await listUnconfirmed()]).toEqual([
        [1, 1],
        [0, 0],
      ])
    })

    it('an assigned attempt is deleted when its lease is released or expires, and an attempt that has begun is resumed', async () => {
      await accept()
      const first = await claimOne()
      await store.release([first])
      expect([await countInFlight(), await listAttempts()]).toEqual([[0, 0], []])
      const second = await claimOne()
      expect(second).toMatchObject({ fence: 2, attempt: { number: 1, state: 'assigned', resumed: false } })
      nowMs += leaseMs + 1
      const third = await claimOne()
      expect(third).toMatchObject({ fence: 3, attempt: { number: 1, state: 'assigned', resumed: false } })
      expect(await store.beginAttempt(second, 1)).toBe('missed')
      expect(await countInFlight()).toEqual([1, 1])
      await store.beginAttempt(third, 1)
      nowMs += leaseMs + 1
      expect(await claimOne()).toMatchObject({
        fence: 4,
        attempt: { number: 1, state: 'starting', timesResumed: 1, deadlineMs: 20_000 },
      })
      expect(await countInFlight()).toEqual([1, 1])
    })

    it('a task whose attempt was not accepted returns to the front of its lane, or behind other tasks with movesToBack', async () => {
      const [first, second, third] = await accept(3)
      const refused = { state: 'not_accepted', reason: 'x', detail: null } as const
      const begunClaim = await claimOne()
      await store.beginAttempt(begunClaim, 1)
      await store.requeue(begunClaim, refused, nowMs)
      expect(await store.find(begunClaim.id)).toMatchObject({ status: 'queued', version: 3 })
      expect(await countInFlight()).toEqual([0, 0])
      const reclaimed = await claimOne()
      expect(reclaimed).toMatchObject({ id: first?.id, attempt: { number: 2 } })
      await store.beginAttempt(reclaimed, 2)
      await store.requeue(reclaimed, { ...refused, movesToBack: true }, nowMs)
      expect((await claim(grant(3))).map(({ id }) => id)).toEqual([second?.id, third?.id, first?.id])
    })

    it('claims, lost leases and refusals do not change the time at which a task could first be claimed', async () => {
      await accept()
      nowMs += 1_000
      await claimOne()
      nowMs += leaseMs + 1
      const reclaimed = await claimOne()
      await store.requeue(reclaimed, { state: 'not_accepted', reason: 'x', detail: null }, nowMs + 5_000)
      nowMs += 5_000
      await claimOne()
      expect(await store.database.selectFrom('tasks').select('first_due_at').execute()).toEqual([{ first_due_at: startMs }])
    })

    it('a task that is moved to another lane waits in its new lane only', async () => {
      const [task] = await accept()
      await store.moveToLane([{ id: task!.id, from: 9, to: 8 }])
      expect(await store.takeDue(leaseMs, 5)).toMatchObject({ waiting: [{ lane, tasks: 1 }] })
      await store.moveToLane([{ id: task!.id, from: lane, to: 8 }])
      expect(await store.takeDue(leaseMs, 5)).toMatchObject({ waiting: [{ lane: 8, tasks: 1 }] })
      expect(await claim(grant(1))).toEqual([])
      expect((await store.claim([{ lane: 8, routes: [grant(1)] }], leaseMs)).map(({ id }) => id)).toEqual([task!.id])
    })

    it('a task that is retried in another lane waits in that lane only', async () => {
      const [task] = await accept()
      const claimed = await claimOne()
      await store.beginAttempt(claimed, 1)
      await store.requeue(claimed, { state: 'not_accepted', reason: 'x', detail: null, lane: 8 }, nowMs)
      expect(await store.takeDue(leaseMs, 5)).toMatchObject({ waiting: [{ lane: 8, tasks: 1 }] })
      expect((await store.claim([{ lane: 8, routes: [grant(1)] }], leaseMs)).map(({ id }) => id)).toEqual([task!.id])
    })

    it('an operation that is recorded after its task was cancelled is stored, and its attempt stays unresolved', async () => {
      await accept()
      const claimed = await claimOne()
      await store.beginAttempt(claimed, 1)
      await store.cancel(claimed.id)
      expect(await store.recordOperation(claimed, 1, '{"job":1}')).toBe(false)
      const row = await store.database
        .selectFrom('task_attempts')
        .select(['operation', 'unresolved'])
        .where('task_no', '=', taskNoOf(claimed.id))
        .executeTakeFirst()
      expect(row).toEqual({ operation: '{"job":1}', unresolved: 'overdue' })
    })
  })
}
