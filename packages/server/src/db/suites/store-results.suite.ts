import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import type { StoredResults, TaskRecord } from '../task-queries.ts'
import type { Claim } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { closeBalanced, openWithAccount } from '../store-with-account.ts'

const crashCount = 8

/** Requirements of every store: tasks with several results. */
export function describeResults(engine: StoreUnderTest): void {
  describe(`tasks with several results in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 1_000))
    })
    afterEach(() => closeBalanced(engine, store))

    async function claimTask(): Promise<Claim> {
      await store.accept(newTask({ id: nextId(), accountNo }))
      const [claim] = await claimEmbedded(store, 1, leaseMs)
      if (claim === undefined) throw new Error('nothing was claimed')
      return claim
    }

    const readRows = (id: string) =>
      store.database.selectFrom('results').selectAll().where('task_no', '=', taskNoOf(id)).orderBy('position').execute()

    it('a completed task has all its results in order, immediately, in a list and after a restart', async () => {
      const claim = await claimTask()
      const results = resultsOf(claim)
      expect(await store.complete(claim, results, 7)).toBe(true)
      const expected = { status: 'completed', chargedMicroCredits: 7, results: [...results] }
      expect(await store.find(claim.id)).toMatchObject(expected)
      store = await engine.reopen(() => nowMs)
      expect(await store.find(claim.id)).toMatchObject(expected)
      expect(await store.list({ accountNo, limit: 10 })).toMatchObject([expected])
      expect((await readRows(claim.id)).map(({ position }) => position)).toEqual([0, 1, 2])
    })

    it('the usage of a task has the total duration of its videos', async () => {
      const claim = await claimTask()
      await store.complete(claim, resultsOf(claim), 7)
      const usage = await store.database.selectFrom('usage').select(['completed', 'produced_ms']).execute()
      expect(usage).toEqual([{ completed: 1, produced_ms: 6_000 }])
    })

    it('a second completion of a task does not change its results', async () => {
      const claim = await claimTask()
      await store.complete(claim, [resultOf(claim)], 7)
      expect(await store.complete(claim, resultsOf(claim), 7)).toBe(false)
      expect(await readRows(claim.id)).toHaveLength(1)
    })

    it('every result expires, and the task gets a new version when the first file is removed', async () => {
      const claim = await claimTask()
      await store.complete(claim, resultsOf(claim), 7)
      nowMs += 10_000
      const expired = await store.listExpiredResults(10, nowMs)
      expect(expired.map(({ objectKey }) => objectKey).toSorted()).toEqual(keysOf(claim).toSorted())
      expect(await store.listExpiredResults(10, nowMs, 1)).toEqual(expired.slice(1))
      const [firstExpired, ...otherExpired] = expired
      await store.markResultsRemoved([firstExpired!], nowMs)
      const listRemoved = async () => (await store.find(claim.id))?.results.map(({ removed }) => removed).toSorted()
      expect(await listRemoved()).toEqual([false, false, true])
      expect(await store.find(claim.id)).toMatchObject({ version: 4 })
      await store.markResultsRemoved(otherExpired, nowMs)
      expect(await store.find(claim.id)).toMatchObject({ version: 4 })
      expect(await store.listExpiredResults(10, nowMs)).toEqual([])
      store = await engine.reopen(() => nowMs)
      expect(await listRemoved()).toEqual([true, true, true])
      expect(await store.find(claim.id)).toMatchObject({ version: 4 })
    })

    it('a recorded thumbnail belongs to its result, immediately, in a list and after a restart', async () => {
      const claim = await claimTask()
      await store.complete(claim, resultsOf(claim), 7)
      expect((await store.find(claim.id))?.results.map(({ thumbnail }) => thumbnail)).toEqual([undefined, undefined, undefined])
      const [firstKey = '', secondKey = ''] = keysOf(claim)
      const preview = { sizeBytes: 100, sha256: 'b'.repeat(64) }
      const thumbnail = { taskId: claim.id, kind: 'thumbnail' } as const
      const versionBefore = (await store.find(claim.id))?.version ?? 0
      expect(await store.recordPreview({ ...thumbnail, objectKey: secondKey, preview }, nowMs)).toBe(true)
      expect(await store.find(claim.id)).toMatchObject({ version: versionBefore })
      // Clients see that there is no thumbnail, which is a new version of the task.
      expect(await store.recordPreview({ ...thumbnail, objectKey: firstKey, preview: null }, nowMs)).toBe(true)
      expect(await store.recordPreview({ ...thumbnail, kind: 'spritesheet', objectKey: firstKey, preview }, nowMs)).toBe(true)
      const expected = [null, preview, undefined]
      const expectThumbnails = async (): Promise<void> => {
        const task = await store.find(claim.id)
        expect([thumbnailsOf(task), task?.version]).toEqual([expected, versionBefore + 1])
      }
      await expectThumbnails()
      store = await engine.reopen(() => nowMs)
      await expectThumbnails()
      expect((await store.list({ accountNo, limit: 10 })).map(thumbnailsOf)).toEqual([expected])
    })

    it('a preview of a result that has expired or was erased is not recorded', async () => {
      const [expired, erased] = [await claimTask(), await claimTask()]
      for (const claim of [expired, erased]) await store.complete(claim, [resultOf(claim)], 7)
      await store.erase([{ id: erased.id, parameters: '{}' }], { kind: 'task' })
      const record = (claim: Claim) =>
        store.recordPreview({ taskId: claim.id, objectKey: `${claim.id}.mp4`, kind: 'thumbnail', preview: null }, nowMs)
      expect([await record(expired), await record(erased)]).toEqual([true, false])
      nowMs += 10_000
      expect(await record(expired)).toBe(false)
    })

    it('the erasure of a task counts all its results, and their rows are deleted once the files are removed', async () => {
      const erasure = { account_no: accountNo, key_no: null, requested_at: nowMs }
      await store.database.insertInto('erasures').values(erasure).execute()
      const claim = await claimTask()
      await store.complete(claim, resultsOf(claim), 7)
      await store.erase([{ id: claim.id, parameters: '{}' }], { kind: 'task', erasureOf: accountNo })
      expect(await store.database.selectFrom('erasures').select(['tasks', 'results']).execute()).toEqual([
        { tasks: 1, results: 3 },
      ])
      await store.markResultsRemoved(await store.listExpiredResults(10, nowMs), nowMs)
      expect(await readRows(claim.id)).toEqual([])
    })

    it('a crash during the end of a task leaves all its results and the charge, or none of them', async () => {
      for (let delayMs = 0; delayMs < crashCount; delayMs++) {
        const claim = await claimTask()
        const ending = store.complete(claim, resultsOf(claim), 7).catch(() => false)
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        store = await engine.crash(() => nowMs)
        await ending
        const task = await store.find(claim.id)
        const isCompleted = task?.status === 'completed'
        expect(task).toMatchObject({ chargedMicroCredits: isCompleted ? 7 : null, results: isCompleted ? resultsOf(claim) : [] })
        expect(await readRows(claim.id)).toHaveLength(isCompleted ? 3 : 0)
        if (!isCompleted) await store.cancel(claim.id)
      }
    })
  })
}

function thumbnailsOf(task: TaskRecord | undefined) {
  return task?.results.map(({ thumbnail }) => thumbnail)
}

function keysOf({ id }: Claim): string[] {
  return [`${id}.mp4`, `${id}-2.mp4`, `${id}-3.mp4`]
}

function resultsOf(claim: Claim): StoredResults {
  const [first, second, third] = keysOf(claim).map((objectKey, position) =>
    Object.assign(resultOf(claim), {
      objectKey,
      durationMs: (position + 1) * 1_000,
      seed: position === 1 ? null : position,
    }),
  )
  return [first!, second!, third!]
}
