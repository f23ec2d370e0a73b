import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../lib/dates.ts'
import { taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import { resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { accountSteps, closeBalanced, openWithAccount } from '../store-with-account.ts'

/** Requirements of every store: grants, expiry and corrections of credits. */
export function describeCredits(engine: StoreUnderTest): void {
  describe(`credits in store: ${engine.name}`, () => {
    let nowMs = startMs
    let store: Store
    let accountNo: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 100))
    })

    afterEach(() => closeBalanced(engine, store))

    const { accept, acceptOrThrow, claimOne, readBalance } = accountSteps(() => ({ store, accountNo, nextId }))

    /** Returns the remaining credits of each expiring grant, soonest expiry first. */
    async function listExpiring(): Promise<number[]> {
      const grants = await store.database.selectFrom('grants').select('remaining').orderBy('expires_at').execute()
      return grants.map((grant) => grant.remaining)
    }

    async function listEntries(): Promise<{ kind: string; amount: number; held: number }[]> {
      return store.database
        .selectFrom('entries')
        .select(['kind', 'amount', 'held'])
        .where('account_no', '=', accountNo)
        .orderBy('no')
        .execute()
    }

    it('the credits that expire first are spent first and returned last', async () => {
      await store.grant(accountNo, 30, 'late', { expiresAtMs: startMs + 2_000 })
      await store.grant(accountNo, 20, 'soon', { expiresAtMs: startMs + 1_000 })
      await acceptOrThrow({ priceMicroCredits: 60 })
      expect(await listExpiring()).toEqual([0, 0])
      const claim = await claimOne()
      await store.complete(claim, [resultOf(claim)], 25)
      expect(await listExpiring()).toEqual([0, 25])
      expect(await readBalance()).toEqual({ balance: 125, held: 0 })
      expect(await store.adjust(accountNo, -30, 'a correction')).toBe(true)
      expect(await listExpiring()).toEqual([0, 0])
    })

    it('expired credits cannot be spent', async () => {
      await store.grant(accountNo, 50, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      nowMs += 999
      await acceptOrThrow({ priceMicroCredits: 30 })
      nowMs += 1
      expect(await accept({ priceMicroCredits: 101 })).toEqual({ kind: 'insufficient_credits', balanceMicroCredits: 100 })
      expect(await readBalance()).toEqual({ balance: 100, held: 30 })
      expect(await accept({ priceMicroCredits: 100 })).toMatchObject({ kind: 'accepted' })
      expect(await listEntries()).toMatchObject([
        { kind: 'grant' },
        { kind: 'grant' },
        { kind: 'hold' },
        { kind: 'expire', amount: -20 },
        {},
      ])
    })

    it('credits that a task returns to an expired grant expire immediately', async () => {
      await store.grant(accountNo, 50, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      await acceptOrThrow({ priceMicroCredits: 60 })
      const claim = await claimOne()
      nowMs += 1_000
      await store.fail(claim, { code: 'upstream_failed', message: 'x' })
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
      expect((await listEntries()).slice(-2)).toMatchObject([
        { kind: 'release', amount: 60, held: -60 },
        { kind: 'expire', amount: -50, held: 0 },
      ])
    })

    it('expired credits are removed even if the account spends nothing, also after a restart', async () => {
      await store.grant(accountNo, 50, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      await acceptOrThrow({ priceMicroCredits: 20 })
      store = await engine.reopen(() => nowMs)
      await store.expireGrants()
      expect(await readBalance()).toEqual({ balance: 130, held: 20 })
      nowMs += 1_000
      await store.expireGrants()
      await store.expireGrants()
      expect(await readBalance()).toEqual({ balance: 100, held: 20 })
    })

    it('a correction never makes a balance negative, and invalid amounts are rejected', async () => {
      expect(await store.adjust(accountNo, 5, 'too little')).toBe(true)
      expect(await store.adjust(accountNo, -106, 'too much')).toBe(false)
      expect(await store.adjust(accountNo, -105, 'all of it')).toBe(true)
      expect(await readBalance()).toEqual({ balance: 0, held: 0 })
      await expect(store.grant(accountNo, -1, 'no grant')).rejects.toThrow()
      await expect(store.adjust(accountNo, 0.5, 'no number')).rejects.toThrow()
    })

    it('ledger entries and grant parts can be neither changed nor deleted', async () => {
      await expect(store.database.updateTable('entries').set({ amount: 1 }).execute()).rejects.toThrow('never changes')
      await expect(store.database.deleteFrom('entries').execute()).rejects.toThrow('never goes')
      await store.grant(accountNo, 1, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      await expect(store.database.updateTable('grant_parts').set({ amount: 2 }).execute()).rejects.toThrow('never changes')
      await expect(store.database.deleteFrom('grant_parts').execute()).rejects.toThrow('never goes')
    })

    it('the ledger check finds a wrong balance, held amount, price and remainder of a grant', async () => {
      await store.grant(accountNo, 40, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      await store.complete(claim, [resultOf(claim)], 7)
      await acceptOrThrow()
      const [running] = await store.list({ accountNo, limit: 1 })
      const changeAccount = async (column: 'balance' | 'held', difference: number) => {
        await store.database
          .updateTable('accounts')
          .set(({ eb }) => ({ [column]: eb(column, '+', difference) }))
          .where('no', '=', accountNo)
          .execute()
      }
      const changePrice = async (taskId: string, difference: number) => {
        await store.database
          .updateTable('tasks')
          .set(({ eb }) => ({ price: eb('price', '+', difference) }))
          .where('no', '=', taskNoOf(taskId))
          .execute()
      }
      const cases: [(sign: 1 | -1) => Promise<unknown>, string][] = [
        [(sign) => changeAccount('balance', sign), 'balance'],
        [(sign) => changeAccount('held', sign), 'holds'],
        [(sign) => changePrice(running?.id ?? '', sign), 'its running tasks and requests add up to'],
        [(sign) => changePrice(id, sign), 'settle'],
        [
          (sign) =>
            store.database
              .updateTable('grants')
              .set(({ eb }) => ({ remaining: eb('remaining', '+', sign) }))
              .execute(),
          'its parts add up to',
        ],
      ]
      for (const [addDifference, expectedText] of cases) {
        await addDifference(1)
        expect((await store.verifyCredits()).differences.join('\n')).toContain(expectedText)
        await addDifference(-1)
        expect((await store.verifyCredits()).differences).toEqual([])
      }
    })

    it('grants and idempotency keys expire by the clock that setExpiryClock sets, and not by the clock of the store', async () => {
      const expiresAtMs = startMs + dayMs
      await store.grant(accountNo, 50, 'for a day', { expiresAtMs })
      const idempotency = { key: 'once', digest: 'same' }
      const taskWithKey = await acceptOrThrow({ idempotency, priceMicroCredits: 10 })
      store.setExpiryClock(() => startMs)
      nowMs = startMs + 365 * dayMs
      await store.expireGrants()
      expect(await accept({ idempotency, priceMicroCredits: 10 })).toEqual({ kind: 'replayed', taskId: taskWithKey.id })
      const laterTask = await acceptOrThrow({ priceMicroCredits: 10 })
      expect(await listExpiring()).toEqual([30])
      await store.cancel(laterTask.id)
      expect(await listExpiring()).toEqual([40])
      await store.cancel(taskWithKey.id)
      expect(await listExpiring()).toEqual([50])
      store.setExpiryClock(() => expiresAtMs)
      await store.expireGrants()
      expect(await listExpiring()).toEqual([0])
    })
  })
}
