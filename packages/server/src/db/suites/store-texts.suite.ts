import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTaskIds, taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import type { GeneratedText } from '../task-queries.ts'
import type { Claim } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'

/** Requirements of every store: the texts of text tasks. */
export function describeTexts(engine: StoreUnderTest): void {
  describe(`texts of tasks in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nextId: () => string
    const generatedText: GeneratedText = { text: 'A fox\n“雪”', engine: 'embedded' }

    beforeEach(async () => {
      store = await engine.open(() => startMs)
      nextId = createTaskIds(() => startMs)
      accountNo = await newAccount(store, 'acct', 1_000)
    })
    afterEach(async () => {
      await engine.close()
    })

    async function claimTask(): Promise<Claim> {
      await store.accept(newTask({ id: nextId(), accountNo, object: 'text' }))
      const [claim] = await claimEmbedded(store, 1, leaseMs)
      if (claim === undefined) throw new Error('nothing was claimed')
      return claim
    }

    async function completeTask(): Promise<Claim> {
      const claim = await claimTask()
      expect(await store.recordText(claim, generatedText)).toBe(true)
      expect(await store.complete(claim, [resultOf(claim)], 1)).toBe(true)
      return claim
    }

    const readStoredText = async ({ id }: Claim) => {
      const row = await store.database
        .selectFrom('tasks')
        .select('made_text')
        .where('no', '=', taskNoOf(id))
        .executeTakeFirstOrThrow()
      return row.made_text?.trim() ?? ''
    }

    it('a completed text task has its text immediately, after a restart, and in lists that include texts', async () => {
      const { id } = await completeTask()
      expect(await store.find(id)).toMatchObject({ status: 'completed', generatedText })
      store = await engine.reopen(() => startMs)
      expect(await store.find(id)).toMatchObject({ generatedText })
      store = await engine.reopen(() => startMs)
      const [listedTask] = await store.list({ accountNo, limit: 10 })
      expect(listedTask).toMatchObject({ id, status: 'completed' })
      expect(listedTask).not.toHaveProperty('generatedText')
      expect(await store.list({ accountNo, limit: 10, withTexts: true })).toMatchObject([{ id, generatedText }])
    })

    it('a text is recorded only under the lease of its task, and not once the task has ended', async () => {
      const claim = await claimTask()
      expect(await store.recordText({ ...claim, fence: claim.fence - 1 }, generatedText)).toBe(false)
      expect(await readStoredText(claim)).toBe('')
      await store.cancel(claim.id)
      expect(await store.recordText(claim, generatedText)).toBe(false)
      expect(await store.find(claim.id)).not.toHaveProperty('generatedText')
    })

    it('a text is deleted with its task, and stays if only the prompt is erased', async () => {
      const claim = await completeTask()
      const erased = { id: claim.id, parameters: '{}' }
      await store.erase([erased], { kind: 'prompt' })
      expect(await store.find(claim.id)).toMatchObject({ generatedText, parameters: '{}' })
      await store.erase([erased], { kind: 'task' })
      expect(await store.find(claim.id)).toBeUndefined()
      expect(await readStoredText(claim)).toBe('')
    })

    it('the text of a task that was cancelled after the generation of its text is deleted with the prompt', async () => {
      const claim = await claimTask()
      await store.recordText(claim, generatedText)
      await store.cancel(claim.id)
      await store.erase([{ id: claim.id, parameters: '{}' }], { kind: 'prompt' })
      expect(await readStoredText(claim)).toBe('')
    })

    it('an improved prompt is in the record of its task, also after a restart, and is deleted with the original prompt', async () => {
      const claim = await claimTask()
      const versionBefore = (await store.find(claim.id))?.version ?? 0
      const improved = { outcome: 'improved', prompt: 'a fox in snow', paid: null } as const
      expect(await store.recordImprovement({ ...claim, fence: claim.fence - 1 }, improved)).toBe(false)
      expect(await store.recordImprovement(claim, improved)).toBe(true)
      const currentTask = await store.find(claim.id)
      expect(currentTask).toMatchObject({ improvement: improved })
      expect(currentTask?.version).toBeGreaterThan(versionBefore)
      await store.complete(claim, [resultOf(claim)], 1)
      store = await engine.reopen(() => startMs)
      expect(await store.find(claim.id)).toMatchObject({ status: 'completed', improvement: improved })
      await store.erase([{ id: claim.id, parameters: '{}' }], { kind: 'prompt' })
      expect(await store.find(claim.id)).not.toHaveProperty('improvement')
    })

    it('a text is deleted with its file at the end of its retention', async () => {
      const claim = await completeTask()
      const expired = await store.listExpiredResults(10, Number.MAX_SAFE_INTEGER)
      await store.markResultsRemoved(expired, startMs)
      expect(await readStoredText(claim)).toBe('')
      store = await engine.reopen(() => startMs)
      expect(await store.find(claim.id)).toMatchObject({ results: [{ removed: true }] })
    })
  })
}
