import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tablesContaining } from '../../../test/tables-containing.ts'
import type { Store } from '../store.ts'
import type { Claim, NewTask } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { closeBalanced, openWithAccount } from '../store-with-account.ts'

const erasedWords = ['quetzalprompt', 'quetzalpicture', 'quetzaldetail', 'quetzalreason', 'quetzaloperation']
const parameters = '{"seconds":5,"prompt":"quetzalprompt in the fog"}'
const images = '{"first_frame":"data:image/png;base64,quetzalpicture"}'
const keptParameters = '{"seconds":5}'

/** Requirements of every store: the removal of content from the database. */
export function describeErasing(engine: StoreUnderTest): void {
  describe(`erasing in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 100))
    })
    afterEach(() => closeBalanced(engine, store))

    async function acceptTask(task: Partial<NewTask> = {}): Promise<string> {
      const id = nextId()
      const outcome = await store.accept(newTask({ id, accountNo, parameters, images, ...task }))
      expect(outcome.kind).toBe('accepted')
      return id
    }
    async function claimTask(): Promise<Claim> {
      const [claim] = await claimEmbedded(store, 1, leaseMs, { route: 'main', snapshotNo: 3 })
      if (claim === undefined) throw new Error('there was nothing to claim')
      return claim
    }
    const erase = (...ids: string[]) =>
      store.erase(
        ids.map((id) => ({ id, parameters: keptParameters })),
        { kind: 'task' },
      )

    it('an erased completed task is not found by clients, and no table contains its texts and input files', async () => {
      const id = await acceptTask()
      const claim = await claimTask()
      await store.recordOperation(claim, 1, '{"job":"quetzaloperation"}')
      await store.requeue(claim, { state: 'failed', reason: 'quetzalreason', detail: 'quetzaldetail' }, nowMs)
      const secondClaim = await claimTask()
      await store.complete(secondClaim, [resultOf(secondClaim)], 10)
      expect(await tablesContaining(store, ...erasedWords)).not.toEqual([])
      expect(await store.find(id)).toMatchObject({ status: 'completed' })

      expect(await erase(id)).toEqual([id])
      expect([store.peek(id), await store.find(id), await store.list({ accountNo, limit: 10 })]).toEqual([
        undefined,
        undefined,
        [],
      ])
      expect(await tablesContaining(store, ...erasedWords)).toEqual([])
      const entries = await store.listEntries({ accountNo, limit: 10 })
      expect(entries.map(({ kind, taskId }) => [kind, taskId])).toEqual([
        ['settle', id],
        ['hold', id],
        ['grant', null],
      ])
      // The next sweep removes the file of the result, and then the row of the result.
      const [expired] = await store.listExpiredResults(10, nowMs)
      expect(expired).toEqual({ objectKey: `${id}.mp4`, taskId: id })
      if (expired !== undefined) await store.markResultsRemoved([expired], nowMs)
      expect(await store.database.selectFrom('results').selectAll().execute()).toEqual([])
    })

    it('an unfinished task keeps its content, and can be erased once it has ended', async () => {
      const id = await acceptTask()
      expect(await erase(id)).toEqual([])
      const claim = await claimTask()
      expect(await erase(id)).toEqual([])
      expect(claim.task.parameters).toBe(parameters)
      expect(await store.cancel(id)).toBe(true)
      expect(await erase(id)).toEqual([id])
      expect(await store.complete(claim, [resultOf(claim)], 10)).toBe(false)
      expect(await store.recordOperation(claim, 1, '{"job":1}')).toBe(false)
      expect(await store.renew([{ ...claim, progress: 50 }], leaseMs)).toEqual([{ ...claim, progress: 50 }])
      expect(await store.find(id)).toBeUndefined()
    })

    it('only one of two concurrent calls erases a task, and it stays erased after a crash', async () => {
      const id = await acceptTask()
      await store.cancel(id)
      const erasedIds = await Promise.all([erase(id), erase(id)])
      expect(erasedIds.flat()).toEqual([id])
      store = await engine.crash(() => nowMs)
      expect(await store.find(id)).toBeUndefined()
      expect(await store.list({ accountNo, limit: 10 })).toEqual([])
      expect(await erase(id)).toEqual([])
    })

    it('an erased task keeps the operation of an attempt that continues upstream', async () => {
      const id = await acceptTask()
      const claim = await claimTask()
      await store.recordOperation(claim, 1, '{"job":"quetzaloperation"}')
      await store.cancel(id)
      await erase(id)
      const attempts = store.database.selectFrom('task_attempts').select(['operation', 'reason', 'detail', 'unresolved'])
      expect(await attempts.execute()).toEqual([
        { operation: '{"job":"quetzaloperation"}', reason: null, detail: null, unresolved: 'overdue' },
      ])
    })

    it('an idempotency key stays reserved when its task is erased, so that no task is charged twice', async () => {
      const idempotency = { key: 'order-1', digest: 'quetzaldigest' }
      const erasedId = await acceptTask({ idempotency })
      await store.cancel(erasedId)
      await erase(erasedId)
      const sameTask = newTask({ id: nextId(), accountNo, parameters, images, idempotency })
      expect((await store.accept(sameTask)).kind).toBe('key_reused')
      // A submit with the same settings and without a prompt is also a different request.
      expect((await store.accept({ ...sameTask, id: nextId(), parameters: keptParameters })).kind).toBe('key_reused')
      expect(await tablesContaining(store, 'quetzaldigest')).toEqual([])
    })

    it('a task whose prompt was erased stays visible to clients', async () => {
      const id = await acceptTask()
      const claim = await claimTask()
      await store.complete(claim, [resultOf(claim)], 10)
      await store.find(id)
      expect(await store.erase([{ id, parameters: keptParameters }], { kind: 'prompt' })).toEqual([id])
      expect(await tablesContaining(store, ...erasedWords)).toEqual([])
      expect(await store.find(id)).toMatchObject({
        id,
        status: 'completed',
        parameters: keptParameters,
        results: [{ removed: false }],
      })
    })

    it('the erasure of an account counts each deleted task and result once', async () => {
      const erasure = { account_no: accountNo, key_no: null, requested_at: nowMs }
      await store.database.insertInto('erasures').values(erasure).execute()
      const ids = [await acceptTask(), await acceptTask({ idempotency: { key: 'quetzalkey', digest: 'd' } })]
      const claim = await claimTask()
      await store.complete(claim, [resultOf(claim)], 10)
      for (const id of ids) await store.cancel(id)
      const tasks = ids.map((id) => ({ id, parameters: keptParameters }))
      for (let call = 0; call < 2; call++) await store.erase(tasks, { kind: 'task', erasureOf: accountNo })
      expect(await store.database.selectFrom('erasures').select(['tasks', 'results']).execute()).toEqual([
        { tasks: 2, results: 1 },
      ])
      expect(await tablesContaining(store, 'quetzalkey')).toEqual([])
    })
  })
}
