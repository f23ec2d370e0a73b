import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskNoOf } from '../../identity/task-id.ts'
import { backupMark, countHeldTasks, listHeldTasks } from '../held-tasks.ts'
import type { Statement } from '../statement.ts'
import type { Store } from '../store.ts'
import type { Claim } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { closeBalanced, openWithAccount } from '../store-with-account.ts'

const notAccepted = { state: 'not_accepted', reason: 'unknown upstream', detail: null } as const

/** Requirements of every store: tasks on hold in a restored copy. */
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

    async function acceptTask(): Promise<string> {
      const id = nextId()
      expect((await store.accept(newTask({ id, accountNo }))).kind).toBe('accepted')
      return id
    }
    async function claimTasks(): Promise<Claim[]> {
      return claimEmbedded(store, 10, leaseMs)
    }
    const heldIds = async () => (await listHeldTasks(store.database, 10, 0)).map(({ id }) => id)

    /** Opens a copy that `framegate backup` has marked. */
    async function restore(): Promise<void> {
      await store.database
        .insertInto('settings')
        .values({ name: backupMark, value: String(nowMs) })
        .execute()
      store = await engine.reopen(() => nowMs)
    }

    it('a restored copy puts unfinished tasks on hold, resumes attempts that had begun, and claims new tasks', async () => {
      const begunId = await acceptTask()
      const [claim] = await claimTasks()
      const [waitingId, cancelledId] = [await acceptTask(), await acceptTask()]
      await store.cancel(cancelledId)
      nowMs += leaseMs
      await restore()
      expect(await heldIds()).toEqual([waitingId])
      const freshId = await acceptTask()
      const claims = await claimTasks()
      expect(claims.map(({ id, attempt }) => [id, attempt.resumed])).toEqual([
        [begunId, true],
        [freshId, false],
      ])
      expect(claim?.id).toBe(begunId)

      // A look-up has not found the job of the attempt. No other job is started for it.
      for (const resumed of claims.slice(0, 1)) expect(await store.requeue(resumed, notAccepted, nowMs)).toBe(true)
      expect(await claimTasks()).toEqual([])
      expect(await heldIds()).toEqual([begunId, waitingId])
      expect(await store.find(begunId)).toMatchObject({ status: 'queued', chargedMicroCredits: null })
      expect(await countHeldTasks(store.database)).toBe(2)
    })

    it('tasks on hold stay on hold over a restart, and tasks accepted later are not on hold', async () => {
      const heldId = await acceptTask()
      await restore()
      await acceptTask()
      nowMs += leaseMs
      store = await engine.reopen(() => nowMs)
      expect(await heldIds()).toEqual([heldId])
      expect(await claimTasks()).toHaveLength(1)
    })

    it('a claim of a released task requires a look-up of its job, and failing a task on hold can share a commit with other statements', async () => {
      const [failedId, releasedId] = [await acceptTask(), await acceptTask()]
      await restore()
      expect(await store.releaseHeld(releasedId)).toBe(true)
      expect(await store.releaseHeld(releasedId)).toBe(false)
      const [claim, ...others] = await claimTasks()
      expect([claim?.id, claim?.attempt.mustFindJob, others]).toEqual([releasedId, true, []])
      if (claim !== undefined) expect(await store.complete(claim, [resultOf(claim)], 5)).toBe(true)
      const [heldTask] = await listHeldTasks(store.database, 10, 0)
      expect(heldTask).toMatchObject({ id: failedId, accountId: 'acct', priceMicroCredits: 10, attempts: 0 })
      const readActions = async () =>
        (await store.database.selectFrom('audit_log').select('action').execute()).map(({ action }) => action)
      const failWith = (...extraStatements: Statement[]) =>
        store.fail({ id: failedId, fence: heldTask?.fence ?? -1 }, { code: 'lost_upstream', message: 'x' }, {}, extraStatements)
      const broken = { sql: "update entries set note = 'x'", parameters: [] }
      await expect(failWith(insertAuditLine(store, 'broken'), broken)).rejects.toThrow('never changes')
      expect([await heldIds(), await readActions()]).toEqual([[failedId], []])
      expect(await failWith(insertAuditLine(store, 'failed'))).toBe(true)
      expect(await failWith(insertAuditLine(store, 'failed again'))).toBe(false)
      expect(await readActions()).toEqual(['failed'])
      expect(await store.find(failedId)).toMatchObject({ status: 'failed', chargedMicroCredits: 0 })
      expect(await heldIds()).toEqual([])
      expect(await store.releaseHeld(failedId)).toBe(false)
    })

    it('tasks on hold do not count toward the limits of their account until they are released', async () => {
      await store.database
        .updateTable('accounts')
        .set({ tasks_in_flight_max: 2, over_limit: 'wait' })
        .where('no', '=', accountNo)
        .execute()
      const oldIds = [await acceptTask(), await acceptTask(), await acceptTask()]
      expect((await claimTasks()).map(({ id }) => id)).toEqual(oldIds.slice(0, 2))
      nowMs += leaseMs
      await restore()
      // The two tasks that had been claimed are resumed, and reach the limit of the account.
      expect(await heldIds()).toEqual([oldIds[2]])
      const freshId = await acceptTask()
      const resumed = await claimTasks()
      expect(new Set(resumed.map(({ id }) => id))).toEqual(new Set(oldIds.slice(0, 2)))
      for (const claim of resumed) await store.requeue(claim, notAccepted, nowMs)
      expect((await claimTasks()).map(({ id }) => id)).toEqual([freshId])
      expect(await heldIds()).toEqual(oldIds)

      for (const id of oldIds) expect(await store.releaseHeld(id)).toBe(true)
      const admitted = await claimTasks()
      expect(admitted.map(({ id }) => id)).toEqual([oldIds[0]])
      expect(await store.cancel(oldIds[1] ?? '')).toBe(true)
      for (const claim of admitted) await store.complete(claim, [resultOf(claim)], 5)
      expect((await claimTasks()).map(({ id }) => id)).toEqual([oldIds[2]])
    })

    it('cancelling a task on hold releases its credits and admits no waiting task', async () => {
      await store.database
        .updateTable('accounts')
        .set({ tasks_in_flight_max: 1, over_limit: 'wait' })
        .where('no', '=', accountNo)
        .execute()
      const heldId = await acceptTask()
      await restore()
      const [admittedId, waitingId] = [await acceptTask(), await acceptTask()]
      expect(await store.cancel(heldId)).toBe(true)
      expect((await claimTasks()).map(({ id }) => id)).toEqual([admittedId])
      expect(await store.cancel(admittedId)).toBe(true)
      expect((await claimTasks()).map(({ id }) => id)).toEqual([waitingId])
    })

    it('a restored copy frees the slots of attempts that were never sent', async () => {
      const pool = { kind: 'upstream', name: 'p', target: 't' } as const
      await store.database.insertInto('slot_pools').values(pool).execute()
      await store.database
        .insertInto('slot_pools')
        .values({ ...pool, kind: 'route' })
        .execute()
      const [upstream, route] = await store.database.selectFrom('slot_pools').select('no').orderBy('no').execute()
      const limits = { upstream: { pool: upstream?.no ?? 0, inFlightMax: 5 }, route: { pool: route?.no ?? 0, inFlightMax: 5 } }
      const id = await acceptTask()
      await store.takeDue(leaseMs, 10)
      const grant = { route: 'r', snapshotNo: 1, limit: 1, deadlineMs: null, pools: limits }
      expect((await store.claim([{ lane: 0, routes: [grant] }], leaseMs)).map((claim) => claim.attempt.state)).toEqual([
        'assigned',
      ])
      nowMs += leaseMs
      await restore()
      expect(await heldIds()).toEqual([id])
      expect((await store.readPools()).map(({ inFlight }) => inFlight)).toEqual([0, 0])
      const attempts = store.database.selectFrom('task_attempts').select('number').where('task_no', '=', taskNoOf(id))
      expect(await attempts.execute()).toEqual([])
    })
  })
}

function insertAuditLine({ database }: Store, action: string): Statement {
  return database
    .insertInto('audit_log')
    .values({ at: 0, key_no: null, action, target: 'x', before: null, after: null })
    .compile()
}
