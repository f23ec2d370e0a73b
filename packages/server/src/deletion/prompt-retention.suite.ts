import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../db/store.ts'
import type { Claim } from '../db/task-queue.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf, startMs, type StoreUnderTest } from '../db/store-under-test.ts'
import { dayMs } from '../lib/dates.ts'
import { createTaskIds } from '../identity/task-id.ts'
import { createPromptRetention, type PromptRetention } from './prompt-retention.ts'

const minuteMs = 60_000

export function describePromptRetention(engine: StoreUnderTest): void {
  describe(`retention of prompts in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string
    let prompts: PromptRetention

    beforeEach(async () => {
      nowMs = startMs
      store = await engine.open(() => nowMs)
      nextId = createTaskIds(() => nowMs)
      accountNo = await newAccount(store, 'acct', 1_000_000)
      prompts = createPromptRetention({ store, resultRetentionMs: 7 * dayMs, clock: () => nowMs })
    })
    afterEach(async () => engine.close())

    async function acceptTask(account = accountNo): Promise<string> {
      const id = nextId()
      await store.accept(newTask({ id, accountNo: account, parameters: '{"seconds":5,"prompt":"quetzal"}' }))
      return id
    }
    async function failTask(account = accountNo): Promise<string> {
      const id = await acceptTask(account)
      await store.cancel(id)
      return id
    }
    async function claimTask(): Promise<Claim> {
      const [claim] = await claimEmbedded(store, 1, leaseMs)
      if (claim === undefined) throw new Error('there was nothing to claim')
      return claim
    }
    const sweep = () => prompts.sweep(new AbortController().signal)
    const hasPrompt = async (id: string) => (await store.find(id))?.parameters.includes('quetzal')
    const setDays = (days: number | null) => store.database.updateTable('brands').set({ prompt_retention_days: days }).execute()

    it('the prompt of a failed task is removed after the retention of results, and its settings stay', async () => {
      const id = await failTask()
      nowMs += 7 * dayMs - minuteMs
      await sweep()
      expect(await hasPrompt(id)).toBe(true)
      nowMs += 2 * minuteMs
      await sweep()
      expect(await store.find(id)).toMatchObject({ status: 'failed', parameters: '{"seconds":5}' })
    })

    it('the prompt of a completed task is removed with its result', async () => {
      const id = await acceptTask()
      const claim = await claimTask()
      const result = resultOf(claim)
      await store.complete(claim, [result], 10)
      await prompts.removeWithResults([{ objectKey: result.objectKey, taskId: id }])
      expect(await hasPrompt(id)).toBe(false)
    })

    it('a brand may keep prompts for its own number of days, shorter or longer than results', async () => {
      const ids = [await failTask(), await failTask(await newAccount(store, 'other', 100))]
      await store.database.updateTable('brands').set({ prompt_retention_days: 1 }).where('id', '=', 'brand_of_acct').execute()
      await store.database.updateTable('brands').set({ prompt_retention_days: 30 }).where('id', '=', 'brand_of_other').execute()
      await prompts.removeWithResults(ids.map((id) => ({ objectKey: `${id}.mp4`, taskId: id })))
      expect(await Promise.all(ids.map(hasPrompt))).toEqual([true, true])
      nowMs += dayMs + minuteMs
      await sweep()
      expect(await Promise.all(ids.map(hasPrompt))).toEqual([false, true])
      nowMs += 29 * dayMs
      await sweep()
      expect(await Promise.all(ids.map(hasPrompt))).toEqual([false, false])
    })

    it('prompts are removed in time after the clock was ahead for longer than their retention', async () => {
      await setDays(1)
      nowMs += 30 * dayMs
      const aheadId = await failTask()
      nowMs += 2 * dayMs
      await sweep()
      expect(await hasPrompt(aheadId)).toBe(false)
      nowMs -= 32 * dayMs
      nextId = createTaskIds(() => nowMs)
      const ids = [await failTask()]
      nowMs += 10 * minuteMs
      await sweep()
      ids.push(await failTask())
      nowMs += dayMs - minuteMs
      await sweep()
      expect(await Promise.all(ids.map(hasPrompt))).toEqual([false, true])
      nowMs += 2 * minuteMs
      await sweep()
      expect(await Promise.all(ids.map(hasPrompt))).toEqual([false, false])
    })

    it('a shortened prompt retention applies to existing tasks too', async () => {
      await setDays(90)
      const otherAccountNo = await newAccount(store, 'other', 100)
      await store.database.updateTable('brands').set({ prompt_retention_days: 1 }).where('id', '=', 'brand_of_other').execute()
      const id = await failTask()
      nowMs += 2 * dayMs
      const laterId = await failTask(otherAccountNo)
      nowMs += 2 * dayMs
      await sweep()
      expect([await hasPrompt(id), await hasPrompt(laterId)]).toEqual([true, false])
      await setDays(1)
      await sweep()
      expect(await hasPrompt(id)).toBe(false)
    })

    it('a task that ends late keeps its prompt for the full retention and does not delay others', async () => {
      await setDays(1)
      const slowId = await acceptTask()
      nowMs += minuteMs
      const otherIds = [await failTask(), await failTask()]
      nowMs += 3 * dayMs
      await store.cancel(slowId)
      await sweep()
      expect(await Promise.all([slowId, ...otherIds].map(hasPrompt))).toEqual([true, false, false])
      nowMs += dayMs + minuteMs
      await sweep()
      expect(await hasPrompt(slowId)).toBe(false)
      expect(await store.database.selectFrom('prompts_left').selectAll().execute()).toEqual([])
    })

    it('the sweep removes the prompts of more tasks than one batch holds', async () => {
      const ids: string[] = []
      for (let count = 0; count < 300; count++) ids.push(nextId())
      await Promise.all(ids.map((id) => store.accept(newTask({ id, accountNo, parameters: '{"prompt":"quetzal"}' }))))
      await Promise.all(ids.map((id) => store.cancel(id)))
      nowMs += 8 * dayMs
      await sweep()
      const rows = await store.database.selectFrom('tasks').select('no').where('parameters', 'like', '%quetzal%').execute()
      expect(rows).toEqual([])
    })
  })
}
