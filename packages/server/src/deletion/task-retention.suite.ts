import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../db/store.ts'
import type { Claim, NewTask } from '../db/task-queue.ts'
import { claimEmbedded, leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from '../db/store-under-test.ts'
import { closeBalanced, openWithAccount } from '../db/store-with-account.ts'
import { firstTaskNoAt, taskNoOf } from '../identity/task-id.ts'
import { dayMs } from '../lib/dates.ts'
import { createLogger } from '../lib/logger.ts'
import { createTaskRetention } from './task-retention.ts'

const lastDayOfJanuaryMs = Date.UTC(2026, 0, 31, 12)
const marchMs = Date.UTC(2026, 2, 1)

export function describeTaskRetention(engine: StoreUnderTest): void {
  describe(`retention of tasks in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 1_000))
    })
    afterEach(() => closeBalanced(engine, store))

    async function acceptTask(task: Partial<NewTask> = {}): Promise<string> {
      const id = nextId()
      await store.accept(newTask({ id, accountNo, ...task }))
      return id
    }
    async function failTask(): Promise<string> {
      const id = await acceptTask()
      await store.cancel(id)
      return id
    }
    async function claimTask(): Promise<Claim> {
      const [claim] = await claimEmbedded(store, 1, leaseMs)
      if (claim === undefined) throw new Error('there was nothing to claim')
      return claim
    }
    async function completeTask(): Promise<string> {
      const id = await acceptTask()
      const claim = await claimTask()
      await store.complete(claim, [resultOf(claim)], 7)
      return id
    }
    const removeFile = (id: string) => store.markResultsRemoved([{ objectKey: `${id}.mp4`, taskId: id }], nowMs)
    const countRows = async (id: string) => {
      const [tasks, attempts, results] = await Promise.all([
        store.database.selectFrom('tasks').select('no').where('no', '=', taskNoOf(id)).execute(),
        store.database.selectFrom('task_attempts').select('number').where('task_no', '=', taskNoOf(id)).execute(),
        store.database.selectFrom('results').select('position').where('task_no', '=', taskNoOf(id)).execute(),
      ])
      return [tasks.length, attempts.length, results.length]
    }
    const retentionOf = (months: number | null, isLeader = true) =>
      createTaskRetention({
        store,
        months,
        resultRetentionMs: 7 * dayMs,
        isLeader: () => isLeader,
        clock: () => nowMs,
        logger: createLogger('silent'),
      })
    const sweep = (months: number | null, isLeader = true) => retentionOf(months, isLeader).sweep(new AbortController().signal)

    it('with a retention of one month, a task is removed when the second month after its acceptance begins', async () => {
      nowMs = lastDayOfJanuaryMs
      const oldId = await completeTask()
      await removeFile(oldId)
      nowMs = lastDayOfJanuaryMs + dayMs
      const newerId = await failTask()
      nowMs = marchMs - 1
      await sweep(1)
      expect(await store.find(oldId)).toMatchObject({ status: 'completed' })

      nowMs = marchMs
      await sweep(1)
      expect([store.peek(oldId), await store.find(oldId), await countRows(oldId)]).toEqual([undefined, undefined, [0, 0, 0]])
      expect((await store.list({ accountNo, limit: 10 })).map(({ id }) => id)).toEqual([newerId])
    })

    it('removed tasks leave ledger entries, balance and usage as they were', async () => {
      await store.grant(accountNo, 50, 'expiring', { expiresAtMs: startMs + 365 * dayMs })
      const oldId = await completeTask()
      await removeFile(oldId)
      await failTask()
      const entries = await store.listEntries({ accountNo, limit: 20 })
      const readUsage = () => store.database.selectFrom('usage').selectAll().execute()
      const usageBefore = await readUsage()
      expect(usageBefore).toHaveLength(2)
      nowMs = marchMs
      await sweep(1)
      expect(await countRows(oldId)).toEqual([0, 0, 0])
      const remaining = await store.listEntries({ accountNo, limit: 20 })
      expect(remaining).toEqual(entries.map((entry) => Object.assign(entry, { taskId: null })))
      expect(await readUsage()).toEqual(usageBefore)
      expect(await store.verifyCredits()).toMatchObject({ differences: [] })
    })

    it('tasks are also removed after the clock was years ahead and was set back', async () => {
      const retention = retentionOf(1)
      nowMs = marchMs + 3650 * dayMs
      await retention.sweep(new AbortController().signal)
      nowMs = lastDayOfJanuaryMs
      const id = await failTask()
      nowMs = marchMs
      await retention.sweep(new AbortController().signal)
      expect(await countRows(id)).toEqual([0, 0, 0])
    })

    it('a task is kept while it runs, and while the file of its result exists', async () => {
      const runningId = await acceptTask()
      const withFileId = await acceptTask()
      const claim = await claimTask()
      const otherClaim = await claimTask()
      await store.complete(otherClaim, [resultOf(otherClaim)], 7)
      nowMs = marchMs
      await sweep(1)
      expect([await countRows(runningId), await countRows(withFileId)]).toEqual([
        [1, 1, 0],
        [1, 1, 1],
      ])
      await store.cancel(claim.id)
      await removeFile(otherClaim.id)
      await sweep(1)
      expect([await countRows(runningId), await countRows(withFileId)]).toEqual([
        [0, 0, 0],
        [0, 0, 0],
      ])
    })

    it('a task is kept while one of its attempts is unresolved', async () => {
      const id = await acceptTask()
      const [claim] = await claimEmbedded(store, 1, leaseMs, { route: 'main', snapshotNo: 3 })
      if (claim === undefined) throw new Error('there was nothing to claim')
      await store.fail(claim, { code: 'upstream_failed', message: 'It failed.' }, { unresolved: 'lost_reply' })
      nowMs = marchMs
      await sweep(1)
      expect(await countRows(id)).toEqual([1, 1, 0])
      await store.database.updateTable('task_attempts').set({ closed_at: nowMs }).where('task_no', '=', taskNoOf(id)).execute()
      await sweep(1)
      expect(await countRows(id)).toEqual([0, 0, 0])
    })

    it('tasks are removed in bounded batches, and a batch continues after the previous one', async () => {
      const ids = [await failTask(), await failTask(), await failTask(), await failTask()]
      nowMs = startMs + dayMs
      const keptId = await failTask()
      const range = { beforeNo: firstTaskNoAt(nowMs), countMax: 2 }
      const firstBatch = await store.removeTasks({ ...range, fromNo: 0 })
      const secondBatch = await store.removeTasks({ ...range, fromNo: firstBatch.nextNo ?? 0 })
      const thirdBatch = await store.removeTasks({ ...range, fromNo: secondBatch.nextNo ?? 0 })
      // PostgreSQL returns the tasks of a batch in any order.
      expect([firstBatch.ids.toSorted(), secondBatch.ids.toSorted()]).toEqual([
        ids.slice(0, 2).toSorted(),
        ids.slice(2).toSorted(),
      ])
      expect(thirdBatch).toEqual({ ids: [], nextNo: null })
      expect((await store.list({ accountNo, limit: 10 })).map(({ id }) => id)).toEqual([keptId])
    })

    it('no task is removed if no retention is set, or by a process that is not the leader', async () => {
      const id = await failTask()
      nowMs = marchMs
      await sweep(null)
      await sweep(1, false)
      expect(await countRows(id)).toEqual([1, 0, 0])
    })
  })
}
