import fc from 'fast-check'
import { type Insertable, type Updateable } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTaskIds } from '../../identity/task-id.ts'
import { dayMs } from '../../lib/dates.ts'
import type { Store } from '../store.ts'
import type { Claim, NewTask } from '../task-queue.ts'
import type { Tables } from '../tables.ts'
import { casesOf, claimEmbedded, leaseMs, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { accountSteps, closeBalanced, openWithAccount } from '../store-with-account.ts'

/** Requirements of every store: limits on tasks and credits in flight, and on spending. */
export function describeLimits(engine: StoreUnderTest): void {
  describe(`limits in store: ${engine.name}`, () => {
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

    async function newKey(limits: Partial<Insertable<Tables['api_keys']>> = {}): Promise<number> {
      const id = `key_${nextId()}`
      await store.database
        .insertInto('api_keys')
        .values({ id, account_no: accountNo, name: 'x', scopes: '[]', created_at: 0, ...limits })
        .execute()
      return (await store.database.selectFrom('api_keys').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no
    }

    const setAccount = (values: Updateable<Tables['accounts']>) =>
      store.database.updateTable('accounts').set(values).where('no', '=', accountNo).execute()

    const acceptForKind = async (overrides: Partial<NewTask>) => (await accept(overrides)).kind

    it('tasks and credits in flight stay within the limits of key and account, also after a restart', async () => {
      const keyNo = await newKey({ tasks_in_flight_max: 2 })
      const kinds = await Promise.all(Array.from({ length: 5 }, () => acceptForKind({ keyNo })))
      expect(kinds).toEqual(['accepted', 'accepted', ...Array.from({ length: 3 }, () => 'too_many_in_flight')])
      store = await engine.reopen(() => nowMs)
      expect(await accept({ keyNo })).toEqual({ kind: 'too_many_in_flight', whose: 'key', limit: 'tasks', max: 2 })
      expect(await acceptForKind({ keyNo: await newKey() })).toBe('accepted')
      await setAccount({ credits_in_flight_max: 45 })
      expect(await accept({ priceMicroCredits: 16 })).toEqual({
        kind: 'too_many_in_flight',
        whose: 'account',
        limit: 'credits',
        max: 45,
      })
      expect(await acceptForKind({ priceMicroCredits: 15 })).toBe('accepted')
      expect(await store.findRefusal({ accountNo, keyNo: null, priceMicroCredits: 1 })).toMatchObject({ whose: 'account' })
      await setAccount({ credits_in_flight_max: null })
      expect(await store.findRefusal({ accountNo, keyNo: null, priceMicroCredits: 1 })).toBeNull()
    })

    it('a failed submit of a batch does not count toward the limits of its key', async () => {
      const keyNo = await newKey({ tasks_in_flight_max: 3, spent_per_day_max: 30 })
      const existing = await acceptOrThrow()
      const outcomes = await Promise.all([accept({ keyNo }), accept({ id: existing.id, keyNo }), accept({ keyNo })])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'failed', 'accepted'])
      expect(await acceptForKind({ keyNo })).toBe('accepted')
      expect(await acceptForKind({ keyNo })).toBe('spending_limit')
    })

    it('spending limits of a key by day and month count the hold of a running task and the charge of an ended one', async () => {
      const keyNo = await newKey({ spent_per_day_max: 25, spent_per_month_max: 40 })
      await acceptOrThrow({ keyNo, priceMicroCredits: 20 })
      const claim = await claimOne()
      expect(await accept({ keyNo })).toEqual({
        kind: 'spending_limit',
        period: 'day',
        maxMicroCredits: 25,
        spentMicroCredits: 20,
      })
      await store.complete(claim, [resultOf(claim)], 15)
      expect(await acceptForKind({ keyNo })).toBe('accepted')
      store = await engine.reopen(() => nowMs)
      expect(await acceptForKind({ keyNo, priceMicroCredits: 1 })).toBe('spending_limit')
      nowMs += dayMs
      expect(await acceptForKind({ keyNo, priceMicroCredits: 15 })).toBe('accepted')
      expect(await accept({ keyNo, priceMicroCredits: 1 })).toMatchObject({ period: 'month', spentMicroCredits: 40 })
      const [running] = await store.list({ accountNo, limit: 1 })
      await store.cancel(running?.id ?? '')
      expect(await acceptForKind({ keyNo, priceMicroCredits: 1 })).toBe('accepted')
      nowMs += 31 * dayMs
      expect(await acceptForKind({ keyNo, priceMicroCredits: 25 })).toBe('accepted')
    })

    it('spending limits ignore what a key spent while the clock was a month ahead, also after a restart', async () => {
      const keyNo = await newKey({ spent_per_day_max: 25, spent_per_month_max: 32 })
      await acceptOrThrow({ keyNo, priceMicroCredits: 10 })
      nowMs += 31 * dayMs
      await acceptOrThrow({ keyNo, priceMicroCredits: 21 })
      nowMs -= 31 * dayMs - 1_000
      const currentId = createTaskIds(() => nowMs)
      const spend = (priceMicroCredits: number) => accept({ id: currentId(), keyNo, priceMicroCredits })
      expect(await spend(10)).toMatchObject({ kind: 'accepted' })
      expect(await spend(10)).toMatchObject({ period: 'day', spentMicroCredits: 20 })
      store = await engine.reopen(() => nowMs)
      expect(await spend(10)).toMatchObject({ period: 'day', spentMicroCredits: 20 })
      const claims = await claimEmbedded(store, 10, leaseMs)
      expect(claims).toHaveLength(3)
      for (const claim of claims) await store.complete(claim, [resultOf(claim)], claim.task.priceMicroCredits)
      expect(await spend(5)).toMatchObject({ kind: 'accepted' })
      nowMs += dayMs
      expect(await spend(8)).toMatchObject({ period: 'month', spentMicroCredits: 25 })
      store = await engine.reopen(() => nowMs)
      expect(await spend(8)).toMatchObject({ period: 'month', spentMicroCredits: 25 })
      expect(await spend(7)).toMatchObject({ kind: 'accepted' })
    })

    it('the monthly limit of a key includes tasks of the new day if a task from before midnight is written after them', async () => {
      const keyNo = await newKey({ spent_per_month_max: 25 })
      nowMs += dayMs - (nowMs % dayMs) - 100
      const earlier = nextId()
      nowMs += 200
      await acceptOrThrow({ keyNo, priceMicroCredits: 20 })
      expect(await accept({ id: earlier, keyNo, priceMicroCredits: 10 })).toMatchObject({
        period: 'month',
        spentMicroCredits: 20,
      })
    })

    it('waiting tasks of an account are admitted in order as others end, also after a restart', async () => {
      await setAccount({ tasks_in_flight_max: 2, over_limit: 'wait' })
      const ids: string[] = []
      for (let i = 0; i < 6; i++) ids.push((await acceptOrThrow()).id)
      expect(await readBalance()).toEqual({ balance: 40, held: 60 })
      const claims = await claimEmbedded(store, 10, leaseMs)
      expect(claims.map((claim) => claim.id)).toEqual(ids.slice(0, 2))
      await store.cancel(ids[2] ?? '')
      const [claim] = claims
      if (claim === undefined) throw new Error('nothing was claimed')
      // The batch is rolled back, because the second operation uses an existing id.
      const sameBatch = [store.complete(claim, [resultOf(claim)], 10), accept({ id: ids[0] ?? '' })]
      expect((await Promise.all(sameBatch))[1]).toMatchObject({ kind: 'failed' })
      expect((await claimOne()).id).toBe(ids[3])
      expect(await claimEmbedded(store, 10, leaseMs)).toEqual([])
      nowMs += leaseMs
      store = await engine.reopen(() => nowMs)
      expect((await claimEmbedded(store, 10, leaseMs)).map((claim) => claim.id).toSorted()).toEqual([ids[1], ids[3]])
      await store.cancel(ids[1] ?? '')
      expect((await claimOne()).id).toBe(ids[4])
      await setAccount({ tasks_in_flight_max: null })
      expect((await claimOne()).id).toBe(ids[5])
    })

    it('cancelling a waiting task admits the next one in its queue that fits', async () => {
      await setAccount({ credits_in_flight_max: 20, over_limit: 'wait' })
      const running = await acceptOrThrow()
      const large = await acceptOrThrow({ priceMicroCredits: 20 })
      const small = await acceptOrThrow()
      expect((await claimEmbedded(store, 10, leaseMs)).map((claim) => claim.id)).toEqual([running.id])
      await store.cancel(large.id)
      expect((await claimOne()).id).toBe(small.id)
      const [cancelled, last] = [await acceptOrThrow(), await acceptOrThrow()]
      await store.cancel(cancelled.id)
      await store.cancel(running.id)
      expect((await claimOne()).id).toBe(last.id)
    })

    it('a waiting task that alone exceeds a lowered limit of its account, key or brand starts when nothing else is in flight', async () => {
      const keyNo = await newKey()
      const setLimit = {
        account: (limit: number | null) => setAccount({ credits_in_flight_max: limit }),
        key: (limit: number | null) =>
          store.database.updateTable('api_keys').set({ credits_in_flight_max: limit }).where('no', '=', keyNo).execute(),
        brand: (limit: number | null) =>
          store.database
            .updateTable('brands')
            .set({ credits_in_flight_max: limit })
            .where('no', '=', (account) => account.selectFrom('accounts').select('brand_no').where('no', '=', accountNo))
            .execute(),
      }
      await setAccount({ over_limit: 'wait' })
      for (const setLimitOfOwner of Object.values(setLimit)) {
        await setLimitOfOwner(20)
        const running = [await acceptOrThrow({ keyNo }), await acceptOrThrow({ keyNo })]
        const large = await acceptOrThrow({ keyNo, priceMicroCredits: 15 })
        const small = await acceptOrThrow({ keyNo })
        expect(await claimEmbedded(store, 10, leaseMs)).toHaveLength(2)
        await setLimitOfOwner(12)
        await store.cancel(running[0]?.id ?? '')
        expect(await claimEmbedded(store, 10, leaseMs)).toEqual([])
        await store.cancel(running[1]?.id ?? '')
        expect((await claimEmbedded(store, 10, leaseMs)).map(({ id }) => id)).toEqual([large.id])
        await store.cancel(large.id)
        expect((await claimEmbedded(store, 10, leaseMs)).map(({ id }) => id)).toEqual([small.id])
        expect(await accept({ keyNo, priceMicroCredits: 15 })).toMatchObject({ kind: 'too_many_in_flight', limit: 'credits' })
        await store.cancel(small.id)
        expect(await accept({ keyNo, priceMicroCredits: 15 })).toMatchObject({ kind: 'too_many_in_flight', limit: 'credits' })
        await setLimitOfOwner(null)
      }
    })

    async function setBrand(values: Updateable<Tables['brands']>): Promise<void> {
      const ofAccount = store.database.selectFrom('accounts').select('brand_no').where('no', '=', accountNo)
      await store.database
        .updateTable('brands')
        .set(values)
        .where('no', '=', () => ofAccount)
        .execute()
    }

    /** Opens an account of the same brand, whose tasks wait or are refused at a limit. */
    async function newNeighbor(overLimit: 'wait' | 'refuse'): Promise<number> {
      const id = `acct_${nextId()}`
      const { brand_no: brandNo } = await store.database
        .selectFrom('accounts')
        .select('brand_no')
        .where('no', '=', accountNo)
        .executeTakeFirstOrThrow()
      await store.database
        .insertInto('accounts')
        .values({ id, brand_no: brandNo, name: 'x', status: 'active', created_at: 0, over_limit: overLimit })
        .execute()
      const { no } = await store.database.selectFrom('accounts').select('no').where('id', '=', id).executeTakeFirstOrThrow()
      await store.grant(no, 10_000, 'x')
      return no
    }

    const anyRound = fc.record({
      submits: fc.array(fc.record({ submitter: fc.nat(3), price: fc.integer({ min: 1, max: 8 }) }), { maxLength: 3 }),
      end: fc.record({ kind: fc.constantFrom('cancel', 'complete'), pick: fc.nat() }),
      event: fc.oneof(
        { weight: 10, arbitrary: fc.constant('none') },
        { weight: 1, arbitrary: fc.constant('restart') },
        { weight: 1, arbitrary: fc.constant('failed batch') },
      ),
    })

    it(
      'a task above a lowered limit of its account or brand starts before all later tasks, although smaller tasks keep coming',
      { timeout: 60_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom('account' as const, 'brand' as const),
            fc.integer({ min: 8, max: 15 }),
            fc.array(anyRound, { minLength: 4, maxLength: 12 }),
            async (owner, loweredMax, rounds) => {
              await engine.close()
              ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 10_000))
              await setAccount({ over_limit: 'wait' })
              const largeKeyNo = await newKey()
              const submitters =
                owner === 'account'
                  ? [
                      { keyNo: await newKey() },
                      { keyNo: await newKey() },
                      { keyNo: await newKey({ tasks_in_flight_max: 1 }) },
                      {},
                    ]
                  : [
                      { keyNo: await newKey() },
                      { accountNo: await newNeighbor('wait') },
                      { accountNo: await newNeighbor('wait') },
                      { accountNo: await newNeighbor('refuse') },
                    ]
              const setMax = (max: number) =>
                owner === 'account' ? setAccount({ credits_in_flight_max: max }) : setBrand({ credits_in_flight_max: max })
              await setMax(16)
              const started: Claim[] = []
              const earlier = [await acceptOrThrow({ ...submitters[0], priceMicroCredits: 8 })]
              earlier.push(await acceptOrThrow({ ...submitters[1], priceMicroCredits: 8 }))
              const large = await acceptOrThrow({ keyNo: largeKeyNo, priceMicroCredits: 15 })
              await setMax(loweredMax)
              let isLargeStarted = false
              const claimAll = async () => {
                const claims = await claimEmbedded(store, 100, leaseMs)
                started.push(...claims)
                isLargeStarted ||= claims.some(({ id }) => id === large.id)
                if (isLargeStarted) return
                expect(claims.filter(({ id }) => earlier.every((task) => task.id !== id))).toEqual([])
              }
              await claimAll()
              for (const { submits, end, event } of [...rounds, ...rounds]) {
                for (const { submitter, price } of submits) {
                  await accept({ ...submitters[submitter], priceMicroCredits: price })
                  await claimAll()
                }
                if (event === 'failed batch') {
                  await Promise.all([accept(submitters[0]), accept({ ...submitters[0], id: large.id })])
                }
                if (event === 'restart') store = await engine.reopen(() => nowMs)
                const [claim] = started.splice(end.pick % Math.max(started.length, 1), 1)
                if (claim !== undefined && end.kind === 'complete') await store.complete(claim, [resultOf(claim)], 0)
                else if (claim !== undefined) await store.cancel(claim.id)
                await claimAll()
              }
              expect(isLargeStarted).toBe(true)
              for (let claim = started.pop(); claim !== undefined; claim = started.pop()) {
                await store.cancel(claim.id)
                await claimAll()
              }
              const unfinished = store.database.selectFrom('tasks').select('no').where('ended_at', 'is', null)
              expect(await unfinished.execute()).toEqual([])
            },
          ),
          { numRuns: casesOf({ long: 200, short: 10 }) },
        )
      },
    )

    it('other tasks start again when a task above a lowered limit is cancelled or the limit is raised', async () => {
      const [largeKeyNo, smallKeyNo] = [await newKey(), await newKey()]
      await setAccount({ credits_in_flight_max: 30, over_limit: 'wait' })
      const running = await acceptOrThrow({ keyNo: smallKeyNo, priceMicroCredits: 20 })
      expect((await claimOne()).id).toBe(running.id)
      for (const finish of [(id: string) => store.cancel(id), () => setAccount({ credits_in_flight_max: 100 })]) {
        await setAccount({ credits_in_flight_max: 30 })
        const large = await acceptOrThrow({ keyNo: largeKeyNo, priceMicroCredits: 25 })
        await setAccount({ credits_in_flight_max: 24 })
        const small = await acceptOrThrow({ keyNo: smallKeyNo, priceMicroCredits: 1 })
        expect(await claimEmbedded(store, 10, leaseMs)).toEqual([])
        await finish(large.id)
        expect((await claimEmbedded(store, 10, leaseMs)).map(({ id }) => id)).toContain(small.id)
        await store.cancel(small.id)
      }
    })

    it('a waiting task starts if the limit is lowered below its price while nothing is in flight', async () => {
      await setAccount({ credits_in_flight_max: 20, over_limit: 'wait' })
      const running = await acceptOrThrow({ priceMicroCredits: 20 })
      const waiting = await acceptOrThrow()
      const [claim] = await claimEmbedded(store, 10, leaseMs)
      expect(claim?.id).toBe(running.id)
      await setAccount({ credits_in_flight_max: 5 })
      await store.cancel(running.id)
      expect((await claimOne()).id).toBe(waiting.id)
    })

    it('a task that alone exceeds a limit is rejected even if the tasks of its account may wait', async () => {
      await setAccount({ credits_in_flight_max: 5, over_limit: 'wait' })
      expect(await accept({ priceMicroCredits: 6 })).toMatchObject({ kind: 'too_many_in_flight', limit: 'credits' })
      expect(await acceptForKind({ priceMicroCredits: 5 })).toBe('accepted')
    })

    it('waiting tasks of a key do not delay those of another, and accounts of a brand at its limit are served in rotation', async () => {
      const limitedKeyNo = await newKey({ tasks_in_flight_max: 1 })
      const otherKeyNo = await newKey()
      await setAccount({ over_limit: 'wait' })
      await acceptOrThrow({ keyNo: limitedKeyNo })
      await acceptOrThrow({ keyNo: limitedKeyNo })
      const otherKeysTask = await acceptOrThrow({ keyNo: otherKeyNo })
      expect((await claimEmbedded(store, 10, leaseMs)).map((claim) => claim.id)).toContain(otherKeysTask.id)

      const { brand_no: brandNo } = await store.database
        .selectFrom('accounts')
        .select('brand_no')
        .where('no', '=', accountNo)
        .executeTakeFirstOrThrow()
      await store.database
        .insertInto('accounts')
        .values({ id: 'neighbor', brand_no: brandNo, name: 'x', status: 'active', created_at: 0, over_limit: 'wait' })
        .execute()
      const neighbor = await store.database
        .selectFrom('accounts')
        .select('no')
        .where('id', '=', 'neighbor')
        .executeTakeFirstOrThrow()
      await store.grant(neighbor.no, 100, 'x')
      await store.database.updateTable('brands').set({ tasks_in_flight_max: 2 }).where('no', '=', brandNo).execute()
      for (let i = 0; i < 3; i++) await acceptOrThrow({ keyNo: otherKeyNo })
      const neighborsTask = await acceptOrThrow({ accountNo: neighbor.no })
      await store.cancel(otherKeysTask.id)
      const nextClaim = await claimOne()
      await store.complete(nextClaim, [resultOf(nextClaim)], 10)
      expect((await claimOne()).id).toBe(neighborsTask.id)
    })
  })
}
