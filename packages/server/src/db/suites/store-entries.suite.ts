import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EntryListQuery, LedgerEntry } from '../ledger.ts'
import type { Store } from '../store.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { closeBalanced, openWithAccount } from '../store-with-account.ts'

/** Requirements of every store: the ledger of an account. */
export function describeEntries(engine: StoreUnderTest): void {
  describe(`ledgers in store: ${engine.name}`, () => {
    let nowMs = startMs
    let store: Store
    let accountNo: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 100))
    })
    afterEach(() => closeBalanced(engine, store))

    async function acceptTask(ownerNo = accountNo): Promise<string> {
      const task = newTask({ id: nextId(), accountNo: ownerNo, priceMicroCredits: 1 })
      expect((await store.accept(task)).kind).toBe('accepted')
      return task.id
    }

    /** Claims the next task, if there is one, and completes it. */
    async function completeNext(charge: number): Promise<void> {
      for (const claim of await claimEmbedded(store, 1, leaseMs)) await store.complete(claim, [resultOf(claim)], charge)
    }

    const list = (query: Partial<EntryListQuery> = {}) => store.listEntries({ accountNo, limit: 1000, ...query })

    it('each ledger entry has its amount and the balance after it', async () => {
      const expiresAtMs = startMs + 1_000
      await store.grant(accountNo, 5, 'welcome', { expiresAtMs })
      const id = await acceptTask()
      nowMs += 10
      const cancelledId = await acceptTask()
      await completeNext(0)
      await store.cancel(cancelledId)
      await store.adjust(accountNo, -3, 'too much')
      nowMs = expiresAtMs
      await store.expireGrants()
      const commonFields = { taskId: null, request: null, heldMicroCredits: 0, note: null, expiresAtMs: null }
      expect(await list()).toEqual([
        { ...commonFields, position: 8, kind: 'expire', microCredits: -2, balanceAfterMicroCredits: 100, atMs: expiresAtMs },
        {
          ...commonFields,
          position: 7,
          kind: 'adjust',
          microCredits: -3,
          balanceAfterMicroCredits: 102,
          atMs: startMs + 10,
          note: 'too much',
        },
        {
          ...commonFields,
          position: 6,
          kind: 'release',
          taskId: cancelledId,
          microCredits: 1,
          heldMicroCredits: -1,
          balanceAfterMicroCredits: 105,
          atMs: startMs + 10,
        },
        {
          ...commonFields,
          position: 5,
          kind: 'settle',
          taskId: id,
          microCredits: 1,
          heldMicroCredits: -1,
          balanceAfterMicroCredits: 104,
          atMs: startMs + 10,
        },
        {
          ...commonFields,
          position: 4,
          kind: 'hold',
          taskId: cancelledId,
          microCredits: -1,
          heldMicroCredits: 1,
          balanceAfterMicroCredits: 103,
          atMs: startMs + 10,
        },
        {
          ...commonFields,
          position: 3,
          kind: 'hold',
          taskId: id,
          microCredits: -1,
          heldMicroCredits: 1,
          balanceAfterMicroCredits: 104,
          atMs: startMs,
        },
        {
          ...commonFields,
          position: 2,
          kind: 'grant',
          microCredits: 5,
          balanceAfterMicroCredits: 105,
          atMs: startMs,
          note: 'welcome',
          expiresAtMs,
        },
        {
          ...commonFields,
          position: 1,
          kind: 'grant',
          microCredits: 100,
          balanceAfterMicroCredits: 100,
          atMs: startMs,
          note: 'to begin with',
        },
      ])
    })

    it('an account cannot list the entries of another account, even with the id of its task', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 10)
      const id = await acceptTask(otherAccountNo)
      await acceptTask()
      expect((await list()).map(({ kind }) => kind)).toEqual(['hold', 'grant'])
      expect(await list({ taskId: id })).toEqual([])
      expect(await list({ accountNo: otherAccountNo, taskId: id })).toHaveLength(1)
      expect(await list({ accountNo: 99 })).toEqual([])
    })

    it('a long ledger is filtered correctly, also after a restart and when the clock was set back', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 1000)
      const ids: string[] = []
      for (let i = 0; i < 90; i++) {
        nowMs += i === 40 ? -5_000 : 100
        await acceptTask(otherAccountNo)
        ids.push(await acceptTask())
        await completeNext(0)
        await completeNext(0)
        if (i % 30 === 0) await store.grant(accountNo, 1, 'again')
      }
      store = await engine.reopen(() => nowMs)
      await store.grant(accountNo, 1, 'after the restart')

      const allEntries = await list()
      expect(allEntries.map(({ position }) => position)).toEqual(Array.from({ length: 185 }, (_, index) => 185 - index))
      const times = allEntries.map(({ atMs }) => atMs)
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      const expectEntries = async (query: Partial<EntryListQuery>, matches: (entry: LedgerEntry) => boolean) =>
        expect([query, await list(query)]).toEqual([query, allEntries.filter(matches)])
      for (const kind of ['grant', 'hold', 'settle', 'release'] as const)
        await expectEntries({ kind }, (entry) => entry.kind === kind)
      for (const taskId of [ids[0], ids[45]]) if (taskId) await expectEntries({ taskId }, (entry) => entry.taskId === taskId)
      for (const limitMs of new Set(times)) {
        const untilMs = limitMs + 150
        await expectEntries({ createdFromMs: limitMs }, ({ atMs }) => atMs >= limitMs)
        await expectEntries({ createdUntilMs: limitMs }, ({ atMs }) => atMs < limitMs)
        await expectEntries({ createdUntilMs: limitMs, kind: 'grant' }, ({ atMs, kind }) => atMs < limitMs && kind === 'grant')
        await expectEntries({ createdFromMs: limitMs, createdUntilMs: untilMs }, ({ atMs }) => atMs >= limitMs && atMs < untilMs)
      }
      for (const entry of allEntries) {
        await expectEntries({ before: entry }, ({ position }) => position < entry.position)
        await expectEntries(
          { before: entry, kind: 'grant' },
          ({ position, kind }) => position < entry.position && kind === 'grant',
        )
      }
      expect(await list({ limit: 3, kind: 'settle' })).toHaveLength(3)
    })
  })
}
