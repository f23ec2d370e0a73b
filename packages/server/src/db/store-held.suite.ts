import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskNoOf } from '../identity/task-id.ts'
import { backupMark, countHeldTasks, listHeldTasks } from './held-tasks.ts'
import type { Store } from './store.ts'
import type { Claim } from './task-queue.ts'
import { claimEmbedded, leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from './store-under-test.ts'
import { closeBalanced, openWithAccount } from './store-with-account.ts'

const notAccepted = { state: 'not_accepted', reason: 'unknown upstream', detail: null } as const

/** Requirements of every engine: tasks on hold in a restored copy. */
export function describeHeldTasks(engine: StoreUnderTest): void {
  describe(`tasks on hold in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 100))
    })
    afterEach(() => closeBalanced(engine, store))

    async function accepted(): Promise<string> {
      const id = nextId()
      expect((await store.accept(newTask({ id, accountNo }))).kind).toBe('accepted')
      return id
    }
    async function claimed(): Promise<Claim[]> {
      return claimEmbedded(store, 10, leaseMs)
    }
    const heldIds = async () => (await listHeldTasks(store.query, 10, 0)).map(({ id }) => id)

    /** Opens a copy that `framegate backup` has marked. */
    async function restore(): Promise<void> {
      await store.query
        .insertInto('settings')
        .values({ name: backupMark, value: String(nowMs) })
        .execute()
      store = await engine.reopen(() => nowMs)
    }

    it('a restored copy puts unfinished tasks on hold, resumes attempts that had begun, and claims new tasks', async () => {
      const begun = await accepted()
      const [claim] = await claimed()
      const [waiting, done] = [await accepted(), await accepted()]
      await store.cancel(done)
      nowMs += leaseMs
      await restore()
      expect(await heldIds()).toEqual([waiting])
      const fresh = await accepted()
      const claims = await claimed()
      expect(claims.map(({ id, attempt }) => [id, attempt.resumed])).toEqual([
        [begun, true],
        [fresh, false],
      ])
      expect(claim?.id).toBe(begun)

      // A look-up has not found the job of the attempt. No other job is started for it.
      for (const resumed of claims.slice(0, 1)) expect(await store.requeue(resumed, notAccepted, nowMs)).toBe(true)
      expect(await claimed()).toEqual([])
      expect(await heldIds()).toEqual([begun, waiting])
      expect(await store.find(begun)).toMatchObject({ status: 'queued', chargedMicroCredits: null })
      expect(await countHeldTasks(store.query)).toBe(2)
    })

    it('tasks on hold stay on hold over a restart, and tasks accepted later are not on hold', async () => {
      const held = await accepted()
      await restore()
      await accepted()
      nowMs += leaseMs
      store = await engine.reopen(() => nowMs)
      expect(await heldIds()).toEqual([held])
      expect(await claimed()).toHaveLength(1)
    })

    it('a released task is claimed, and its job is looked up first', async () => {
      const [first, second] = [await accepted(), await accepted()]
      await restore()
      expect(await store.releaseHeld(second)).toBe(true)
      expect(await store.releaseHeld(second)).toBe(false)
      const [claim, ...others] = await claimed()
      expect([claim?.id, claim?.attempt.mustFindJob, others]).toEqual([second, true, []])
      if (claim !== undefined) expect(await store.complete(claim, [resultOf(claim)], 5)).toBe(true)
      const [left] = await listHeldTasks(store.query, 10, 0)
      expect(left).toMatchObject({ id: first, accountId: 'acct', priceMicroCredits: 10, attempts: 0 })
      expect(await store.fail({ id: first, fence: left?.fence ?? -1 }, { code: 'lost_upstream', message: 'x' })).toBe(true)
      expect(await heldIds()).toEqual([])
      expect(await store.releaseHeld(first)).toBe(false)
    })

    it('tasks on hold do not count toward the limits of their account until they are released', async () => {
      await store.query
        .updateTable('accounts')
        .set({ tasks_in_flight_max: 2, over_limit: 'wait' })
        .where('no', '=', accountNo)
        .execute()
      const old = [await accepted(), await accepted(), await accepted()]
      expect((await claimed()).map(({ id }) => id)).toEqual(old.slice(0, 2))
      nowMs += leaseMs
      await restore()
      // The two tasks that had been claimed are resumed, and take all slots of the limit.
      expect(await heldIds()).toEqual([old[2]])
      const fresh = await accepted()
      const resumed = await claimed()
      expect(new Set(resumed.map(({ id }) => id))).toEqual(new Set(old.slice(0, 2)))
      for (const claim of resumed) await store.requeue(claim, notAccepted, nowMs)
      expect((await claimed()).map(({ id }) => id)).toEqual([fresh])
      expect(await heldIds()).toEqual(old)

      for (const id of old) expect(await store.releaseHeld(id)).toBe(true)
      const admitted = await claimed()
      expect(admitted.map(({ id }) => id)).toEqual([old[0]])
      expect(await store.cancel(old[1] ?? '')).toBe(true)
      for (const claim of admitted) await store.complete(claim, [resultOf(claim)], 5)
      expect((await claimed()).map(({ id }) => id)).toEqual([old[2]])
    })

    it('a cancelled task on hold releases its credits and does not change the limits', async () => {
      await store.query
        .updateTable('accounts')
        .set({ tasks_in_flight_max: 1, over_limit: 'wait' })
        .where('no', '=', accountNo)
        .execute()
      const held = await accepted()
      await restore()
      const [first, second] = [await accepted(), await accepted()]
      expect(await store.cancel(held)).toBe(true)
      expect((await claimed()).map(({ id }) => id)).toEqual([first])
      expect(await store.cancel(first)).toBe(true)
      expect((await claimed()).map(({ id }) => id)).toEqual([second])
    })

    it('a restored copy frees the slots of attempts that were never sent', async () => {
      const pool = { kind: 'upstream', name: 'p', target: 't' } as const
      await store.query.insertInto('slot_pools').values(pool).execute()
      await store.query
        .insertInto('slot_pools')
        .values({ ...pool, kind: 'route' })
        .execute()
      const [upstream, route] = await store.query.selectFrom('slot_pools').select('no').orderBy('no').execute()
      const limits = { upstream: { pool: upstream?.no ?? 0, inFlightMax: 5 }, route: { pool: route?.no ?? 0, inFlightMax: 5 } }
      const id = await accepted()
      await store.takeDue(leaseMs, 10)
      const grant = { route: 'r', snapshotNo: 1, limit: 1, deadlineMs: null, pools: limits }
      expect((await store.claim([{ lane: 0, routes: [grant] }], leaseMs)).map((claim) => claim.attempt.state)).toEqual([
        'assigned',
      ])
      nowMs += leaseMs
      await restore()
      expect(await heldIds()).toEqual([id])
      expect((await store.readPools()).map(({ inFlight }) => inFlight)).toEqual([0, 0])
      const attempts = store.query.selectFrom('task_attempts').select('number').where('task_no', '=', taskNoOf(id))
      expect(await attempts.execute()).toEqual([])
    })
  })
}
