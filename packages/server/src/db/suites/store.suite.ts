import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayMs } from '../../lib/dates.ts'
import { createdAtMsOf, taskNoOf } from '../../identity/task-id.ts'
import type { Statement } from '../statement.ts'
import { generateKey } from '../../identity/generated-key.ts'
import type { GeneratedKeySearch } from '../retried-requests.ts'
import { readImages } from '../read-inputs.ts'
import type { Store } from '../store.ts'
import { claimedImagesBytesMax } from '../task-queue.ts'
import {
  claimEmbedded,
  leaseMs,
  newAccount,
  embeddedGrants,
  resultOf,
  startMs,
  type StoreUnderTest,
} from '../store-under-test.ts'
import { accountSteps, closeBalanced, openWithAccount } from '../store-with-account.ts'

/** Requirements of every store: tasks, leases, idempotency keys, lists and notifications. */
export function describeStore(engine: StoreUnderTest): void {
  describe(`store: ${engine.name}`, () => {
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

    /** Claims the next tasks one by one, and returns their accounts in the order of the claims. */
    const claimAccounts = async (count: number) => {
      const accountNos: number[] = []
      for (let i = 0; i < count; i++) accountNos.push((await claimOne()).task.accountNo)
      return accountNos
    }

    it('an accepted task is queued and holds its price', async () => {
      const { id } = await acceptOrThrow()
      expect(await store.find(id)).toMatchObject({ id, status: 'queued', progress: 0, priceMicroCredits: 10, version: 1 })
      expect(await readBalance()).toEqual({ balance: 90, held: 10 })
    })

    it('only the invalid submits of a batch fail', async () => {
      const existing = await acceptOrThrow()
      const outcomes = await Promise.all([accept(), accept({ id: existing.id }), accept({ accountNo: 99 }), accept()])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'failed', 'failed', 'accepted'])
      expect(await readBalance()).toEqual({ balance: 70, held: 30 })
    })

    it('a submit with a known idempotency key returns the first task, and is rejected if the request differs', async () => {
      const first = await acceptOrThrow({ idempotency: { key: 'k', digest: 'd' } })
      const retries = await Promise.all([
        accept({ idempotency: { key: 'k', digest: 'd' } }),
        accept({ idempotency: { key: 'k', digest: 'other' } }),
        accept({ model: 'another model', idempotency: { key: 'k', digest: 'd' } }),
        accept({ parameters: '{"prompt":"y"}', idempotency: { key: 'k', digest: 'd' } }),
        accept({ idempotency: { key: 'other', digest: 'd' } }),
      ])
      expect(retries.map((outcome) => outcome.kind)).toEqual(['replayed', 'key_reused', 'key_reused', 'key_reused', 'accepted'])
      expect(retries[0]).toEqual({ kind: 'replayed', taskId: first.id })
      expect(await readBalance()).toEqual({ balance: 80, held: 20 })
    })

    it('the task of an idempotency key is found for a day and for its account only, also after a restart', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 100)
      const first = await acceptOrThrow({ idempotency: { key: 'k', digest: 'd' } })
      const storedRequest = { id: first.id, model: first.model, parameters: first.parameters, digest: 'd' }
      expect(await store.findTaskOfKey(accountNo, 'k')).toEqual(storedRequest)
      expect(await store.findTaskOfKey(otherAccountNo, 'k')).toBeUndefined()
      expect(await store.findTaskOfKey(accountNo, 'K')).toBeUndefined()
      store = await engine.reopen(() => nowMs)
      nowMs += dayMs
      expect(await store.findTaskOfKey(accountNo, 'k')).toEqual(storedRequest)
      nowMs += 1
      expect(await store.findTaskOfKey(accountNo, 'k')).toBeUndefined()
    })

    it('generated keys are found by their digest, the oldest first, until they are removed', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 100)
      const submit = (digest: string, owner = accountNo) =>
        acceptOrThrow({ accountNo: owner, idempotency: { key: generateKey({ digest, retryCount: 0 }), digest: '' } })
      const findGenerated = async (digest: string, search: Partial<GeneratedKeySearch> = {}) =>
        (await store.findGeneratedKeys({ accountNo, digest, sinceMs: 0, countMax: 16, ...search })).map(({ taskId }) => taskId)
      const first = await submit('aa')
      const [second, third] = [await submit('aa'), await submit('aa')]
      await submit('a')
      await submit('aa', otherAccountNo)
      await acceptOrThrow({ idempotency: { key: 'aa', digest: '' } })
      expect(await findGenerated('aa')).toEqual([first.id, second.id, third.id])
      expect(await findGenerated('aa', { countMax: 2 })).toEqual([first.id, second.id])
      expect(await findGenerated('aa', { sinceMs: nowMs + 1 })).toEqual([])
      expect(await findGenerated('b')).toEqual([])
      const [{ key } = expect.fail('no key')] = await store.findGeneratedKeys({
        accountNo,
        digest: 'aa',
        sinceMs: 0,
        countMax: 1,
      })
      const newKey = generateKey({ digest: 'aa', retryCount: 1 })
      expect(await store.replaceGeneratedKey(first.id, key, newKey)).toBe(true)
      expect(await store.replaceGeneratedKey(first.id, key, newKey)).toBe(false)
      await store.removeGeneratedKeys([second.id, second.id])
      store = await engine.reopen(() => nowMs)
      expect(await store.findGeneratedKeys({ accountNo, digest: 'aa', sinceMs: 0, countMax: 16 })).toMatchObject([
        { taskId: first.id, key: newKey },
        { taskId: third.id },
      ])
      const clientTask = await acceptOrThrow({ idempotency: { key: 'k', digest: 'd' } })
      await store.removeGeneratedKeys([clientTask.id, first.id, third.id])
      expect(await findGenerated('aa')).toEqual([])
      expect(await accept({ idempotency: { key: 'k', digest: 'd' } })).toMatchObject({ kind: 'replayed' })
    })

    it('a removed key no longer belongs to its task, whether a client or the service chose it', async () => {
      const clientTask = await acceptOrThrow({ idempotency: { key: 'k', digest: 'd' } })
      const generated = await acceptOrThrow({ idempotency: { key: generateKey({ digest: 'aa', retryCount: 0 }), digest: '' } })
      await store.removeKeys([clientTask.id, generated.id])
      expect(await store.findTaskOfKey(accountNo, 'k')).toBeUndefined()
      expect(await store.findGeneratedKeys({ accountNo, digest: 'aa', sinceMs: 0, countMax: 16 })).toEqual([])
      expect(await accept({ idempotency: { key: 'k', digest: 'd' } })).toMatchObject({ kind: 'accepted' })
    })

    it('50 concurrent submits with the same idempotency key create one task', async () => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => accept({ idempotency: { key: 'k', digest: 'd' } })))
      expect(outcomes.filter((outcome) => outcome.kind === 'accepted')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome.kind === 'replayed')).toHaveLength(49)
    })

    it('an idempotency key belongs to one account and is remembered for a day, also after a restart', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 100)
      const first = await acceptOrThrow({ idempotency: { key: 'k', digest: 'd' } })
      await acceptOrThrow({ accountNo: otherAccountNo, idempotency: { key: 'k', digest: 'd' } })
      store = await engine.reopen(() => nowMs)
      nowMs += 23.5 * 60 * 60 * 1000
      expect(await accept({ idempotency: { key: 'k', digest: 'd' } })).toEqual({ kind: 'replayed', taskId: first.id })
      nowMs += 0.75 * 60 * 60 * 1000
      expect(await accept({ idempotency: { key: 'k', digest: 'd' } })).toMatchObject({ kind: 'accepted' })
    })

    it('a rejected submit does not use up its idempotency key', async () => {
      await accept({ priceMicroCredits: 1000, idempotency: { key: 'k', digest: 'd' } })
      expect(await accept({ idempotency: { key: 'k', digest: 'd' } })).toMatchObject({ kind: 'accepted' })
    })

    it('a task is claimed once, oldest first, and becomes processing', async () => {
      const first = await acceptOrThrow()
      nowMs += 5
      await acceptOrThrow()
      const claims = (
        await Promise.all([claimEmbedded(store, 1, leaseMs), claimEmbedded(store, 5, leaseMs), claimEmbedded(store, 5, leaseMs)])
      ).flat()
      expect(claims).toHaveLength(2)
      expect(claims[0]).toMatchObject({
        id: first.id,
        fence: 1,
        task: { status: 'processing' },
        attempt: { number: 1, state: 'starting', resumed: false },
      })
      expect(await store.find(first.id)).toMatchObject({ status: 'processing', version: 2 })
    })

    it('another worker claims a task with an expired lease and resumes its open attempt', async () => {
      await acceptOrThrow()
      const lostClaim = await claimOne()
      expect(await store.recordOperation(lostClaim, lostClaim.attempt.number, '{"job":1}')).toBe(true)
      nowMs += leaseMs + 1
      const nextClaim = await claimOne()
      expect(nextClaim).toMatchObject({
        fence: 2,
        attempt: { number: 1, state: 'started', resumed: true, operation: '{"job":1}' },
      })
      expect(await store.complete(lostClaim, [resultOf(lostClaim)], 10)).toBe(false)
      expect(await store.fail(lostClaim, { code: 'upstream_failed', message: 'x' })).toBe(false)
      expect(await store.requeue(lostClaim, { state: 'failed', reason: 'x', detail: null }, nowMs)).toBe(false)
      expect(await store.recordOperation(lostClaim, lostClaim.attempt.number, '{}')).toBe(false)
      expect(await store.renew([{ ...lostClaim, progress: 50 }], leaseMs)).toHaveLength(1)
      expect(await store.complete(nextClaim, [resultOf(nextClaim)], 10)).toBe(true)
    })

    it('a task with a renewed lease is not claimed again, and its progress never falls', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      nowMs += leaseMs - 1
      expect(await store.renew([{ ...claim, progress: 40 }], leaseMs)).toEqual([])
      nowMs += leaseMs - 1
      expect(await claimEmbedded(store, 5, leaseMs)).toEqual([])
      expect(await store.renew([{ ...claim, progress: 30 }], leaseMs)).toEqual([])
      expect((await store.find(id))?.progress).toBe(40)
      store = await engine.reopen(() => nowMs)
      expect((await store.find(id))?.progress).toBe(40)
    })

    it('a completed task is charged the amount of its completion, and the rest of its hold is released', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      expect(await store.complete(claim, [resultOf(claim)], 7)).toBe(true)
      expect(await readBalance()).toEqual({ balance: 93, held: 0 })
      expect(await store.find(id)).toMatchObject({
        status: 'completed',
        progress: 100,
        chargedMicroCredits: 7,
        results: [{ width: 64 }],
      })
    })

    it('a charge above the hold is rejected', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      await expect(store.complete(claim, [resultOf(claim)], 11)).rejects.toThrow()
      expect(await store.find(id)).toMatchObject({ status: 'processing' })
      expect(await readBalance()).toEqual({ balance: 90, held: 10 })
    })

    it('a failed task releases its whole hold', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      expect(await store.fail(claim, { code: 'upstream_failed', message: 'It broke.' })).toBe(true)
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
      expect(await store.find(id)).toMatchObject({
        status: 'failed',
        errorCode: 'upstream_failed',
        errorMessage: 'It broke.',
        chargedMicroCredits: 0,
      })
    })

    it('a task ends once if complete, fail and cancel run concurrently', async () => {
      await acceptOrThrow()
      const claim = await claimOne()
      const results = await Promise.all([
        store.complete(claim, [resultOf(claim)], 10),
        store.fail(claim, { code: 'upstream_failed', message: 'x' }),
        store.cancel(claim.id),
        store.complete(claim, [resultOf(claim)], 10),
      ])
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await store.find(claim.id)).toMatchObject({ status: 'completed' })
    })

    it('a queued task and a processing task can be cancelled', async () => {
      const queued = await acceptOrThrow()
      expect(await store.cancel(queued.id)).toBe(true)
      expect(await claimEmbedded(store, 5, leaseMs)).toEqual([])
      const processing = await acceptOrThrow()
      const claim = await claimOne()
      expect(await store.cancel(processing.id)).toBe(true)
      expect(await store.complete(claim, [resultOf(claim)], 10)).toBe(false)
      expect(await store.cancel(processing.id)).toBe(false)
      expect(await store.cancel(nextId())).toBe(false)
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
    })

    it('a waiting task can be failed with its current fence, but not after another claim', async () => {
      const readFence = async (id: string): Promise<number> => {
        const task = store.database.selectFrom('tasks').select('lease_fence').where('no', '=', taskNoOf(id))
        return (await task.executeTakeFirstOrThrow()).lease_fence
      }
      const failure = { code: 'upstream_timeout', message: 'It waited for too long.' } as const
      const unclaimed = await acceptOrThrow()
      expect(await store.fail({ id: unclaimed.id, fence: await readFence(unclaimed.id) }, failure)).toBe(true)
      expect(await store.find(unclaimed.id)).toMatchObject({ status: 'failed', errorCode: 'upstream_timeout', startedAtMs: null })
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })

      const { id } = await acceptOrThrow()
      const lease = { id, fence: await readFence(id) }
      const claim = await claimOne()
      expect(await store.fail(lease, failure)).toBe(false)
      await store.requeue(claim, { state: 'not_accepted', reason: 'busy', detail: null }, nowMs)
      await store.takeDue(leaseMs, 1)
      expect(await store.fail({ id, fence: await readFence(id) }, failure)).toBe(true)
      expect(await claimEmbedded(store, 5, leaseMs)).toEqual([])
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
    })

    it('a task that is claimed and cancelled in one batch stays ended', async () => {
      const { id } = await acceptOrThrow()
      await store.takeDue(leaseMs, 1)
      const [claims, cancelled] = await Promise.all([store.claim(embeddedGrants(1), leaseMs), store.cancel(id)])
      expect([claims.length, cancelled]).toEqual([1, true])
      expect(await store.find(id)).toMatchObject({ status: 'failed', version: 3 })
      store = await engine.reopen(() => nowMs)
      expect(await store.find(id)).toMatchObject({ status: 'failed', version: 3 })
    })

    it('a batch in which a task is rejected still removes the credits of an expired grant', async () => {
      await store.grant(accountNo, 50, 'until tomorrow', { expiresAtMs: startMs + 1_000 })
      const existing = await acceptOrThrow()
      nowMs += 1_000
      const outcomes = await Promise.all([accept(), accept({ id: existing.id }), accept()])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'failed', 'accepted'])
      expect(await readBalance()).toEqual({ balance: 80, held: 30 })
    })

    describe('writeAtomically and extra statements', () => {
      it('statements of writeAtomically share a commit, and none is written if the first changes nothing', async () => {
        expect(await store.writeAtomically(renameAccount(store, 0), insertAuditLine(store, 'none'))).toBe(false)
        expect(await readEffects(store)).toEqual({ auditActions: [], renamed: 0 })
        expect(
          await store.writeAtomically(
            renameAccount(store, accountNo),
            insertAuditLine(store, 'one'),
            insertAuditLine(store, 'two'),
          ),
        ).toBe(true)
        expect(await readEffects(store)).toEqual({ auditActions: ['one', 'two'], renamed: 1 })
      })

      it('statements of writeAtomically are rolled back if one fails, and other writes of the batch are committed', async () => {
        const broken = { sql: "update entries set note = 'x'", parameters: [] }
        await store.grant(accountNo, 1, 'a line to break')
        const neighbour = store.writeAtomically(insertAuditLine(store, 'neighbour'))
        await expect(
          store.writeAtomically(renameAccount(store, accountNo), insertAuditLine(store, 'broken'), broken),
        ).rejects.toThrow('never changes')
        expect(await neighbour).toBe(true)
        expect(await readEffects(store)).toEqual({ auditActions: ['neighbour'], renamed: 0 })
      })

      it('extra statements of a grant or correction are written once, and only if the grant or correction is written', async () => {
        const grant = () => store.grant(accountNo, 5, 'x', { reference: 'a', extraStatements: [insertAuditLine(store, 'grant')] })
        expect([await grant(), await grant()]).toEqual([true, false])
        const adjust = (amount: number, reference: string) =>
          store.adjust(accountNo, amount, 'x', { reference, extraStatements: [insertAuditLine(store, reference)] })
        expect([await adjust(-5, 'b'), await adjust(-5, 'b'), await adjust(-1_000_000, 'c')]).toEqual([true, true, false])
        const broken = { sql: "update entries set note = 'x'", parameters: [] }
        await expect(store.grant(accountNo, 5, 'x', { extraStatements: [broken] })).rejects.toThrow('never changes')
        expect(await readEffects(store)).toEqual({ auditActions: ['grant', 'b'], renamed: 0 })
        expect((await readBalance()).balance).toBe(100)
      })
    })

    it('peek never returns an outdated task, not even after the removal of its file', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      await store.renew([{ ...claim, progress: 40 }], leaseMs)
      expect([undefined, await store.find(id)]).toContainEqual(store.peek(id))
      await store.complete(claim, [resultOf(claim)], 10)
      expect(store.peek(id)).toEqual(await store.find(id))
      nowMs += 10_000
      await store.markResultsRemoved([{ objectKey: resultOf(claim).objectKey, taskId: id }], nowMs)
      expect([undefined, await store.find(id)]).toContainEqual(store.peek(id))
      expect(store.peek(nextId())).toBeUndefined()
    })

    it('a task changed twice in one batch is the same in memory and after a restart', async () => {
      const { id } = await acceptOrThrow()
      const claim = await claimOne()
      await Promise.all([store.renew([{ ...claim, progress: 28 }], leaseMs), store.cancel(id)])
      const taskBefore = await store.find(id)
      store = await engine.reopen(() => nowMs)
      expect(await store.find(id)).toEqual(taskBefore)
    })

    it('a requeued task gets a new attempt when its delay is over', async () => {
      await acceptOrThrow()
      const first = await claimOne()
      expect(await store.requeue(first, { state: 'failed', reason: 'busy', detail: null }, nowMs + 1000)).toBe(true)
      expect(await claimEmbedded(store, 5, leaseMs)).toEqual([])
      nowMs += 1000
      expect(await claimOne()).toMatchObject({ fence: 2, attempt: { number: 2, state: 'starting', resumed: false } })
    })

    it('each claim has the images of its task, and they are deleted when the task ends', async () => {
      const { id } = await acceptOrThrow({ images: '{"first_frame":"data:..."}' })
      const releasedClaim = await claimOne()
      expect(releasedClaim.images).toEqual({ text: '{"first_frame":"data:..."}' })
      await store.release([releasedClaim])
      store = await engine.reopen(() => nowMs)
      const nextClaim = await claimOne()
      expect(nextClaim).toMatchObject({ id, images: { text: '{"first_frame":"data:..."}' } })
      await store.complete(nextClaim, [resultOf(nextClaim)], 10)
      await acceptOrThrow()
      expect((await claimOne()).images).toEqual({ text: null })
      expect(await countStoredImages(store)).toBe(0)
    })

    it('a claim has the size in bytes of images that are large, and the images can be read', async () => {
      const text = `é${'x'.repeat(claimedImagesBytesMax - 2)}`
      const small = await acceptOrThrow({ images: text })
      expect(await claimOne()).toMatchObject({ id: small.id, images: { text } })
      const large = await acceptOrThrow({ images: `${text}x` })
      expect(await claimOne()).toMatchObject({ id: large.id, images: { bytes: claimedImagesBytesMax + 1 } })
      expect(await readImages(store.database, taskNoOf(large.id))).toBe(`${text}x`)
      expect(await readImages(store.database, taskNoOf((await acceptOrThrow()).id))).toBeNull()
    })

    it('tasks of different accounts are claimed in rotation, also after a restart', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 100)
      const thirdAccountNo = await newAccount(store, 'acct_three', 100)
      for (let i = 0; i < 8; i++) await acceptOrThrow()
      expect(await claimAccounts(3)).toEqual([accountNo, accountNo, accountNo])
      await acceptOrThrow({ accountNo: otherAccountNo })
      await acceptOrThrow({ accountNo: otherAccountNo })
      nowMs += leaseMs
      store = await engine.reopen(() => nowMs)
      // `claims` has only the tasks with an attempt that has begun.
      expect((await store.takeDue(leaseMs, 1)).claims).toHaveLength(3)
      await acceptOrThrow({ accountNo: thirdAccountNo })
      expect(await claimAccounts(4)).toEqual([accountNo, otherAccountNo, thirdAccountNo, accountNo])
    })

    it('a requeued task is claimed before a newer task that never had an attempt', async () => {
      const first = await acceptOrThrow()
      await acceptOrThrow()
      const claim = await claimOne()
      await store.requeue(claim, { state: 'failed', reason: 'busy', detail: null }, nowMs)
      expect((await claimOne()).id).toBe(first.id)
    })

    it('a task is not claimed before its delay is over', async () => {
      await accept({ delayMs: 5_000 })
      expect(await claimEmbedded(store, 10, 60_000)).toEqual([])
      nowMs += 4_999
      expect(await claimEmbedded(store, 10, 60_000)).toEqual([])
      nowMs += 1
      expect(await claimEmbedded(store, 10, 60_000)).toHaveLength(1)
    })

    it('queued tasks are claimed after the clock was set back', async () => {
      const earlyTask = await acceptOrThrow()
      nowMs -= 60 * 60 * 1000
      const lateTask = await acceptOrThrow()
      expect((await claimEmbedded(store, 5, leaseMs)).map((claim) => claim.id).toSorted()).toEqual(
        [earlyTask.id, lateTask.id].toSorted(),
      )
    })

    it('queued tasks are claimed after the clock was set back over a restart', async () => {
      const { id } = await acceptOrThrow()
      nowMs -= 60 * 60 * 1000
      store = await engine.reopen(() => nowMs)
      expect((await claimEmbedded(store, 5, leaseMs)).map((claim) => claim.id)).toEqual([id])
    })

    it('tasks that were leased or delayed with the clock a month ahead continue after a restart with the clock set right', async () => {
      nowMs += 30 * 24 * 60 * 60 * 1000
      const leased = await acceptOrThrow()
      await claimOne()
      const requeued = await acceptOrThrow()
      const claim = await claimOne()
      await store.requeue(claim, { state: 'not_accepted', reason: 'later', detail: null }, nowMs + 2_000)
      const delayed = await acceptOrThrow({ delayMs: 60_000 })
      nowMs -= 30 * 24 * 60 * 60 * 1000
      store = await engine.reopen(() => nowMs)
      await store.resetFutureTimes(leaseMs)
      nowMs += leaseMs
      const ids = (await claimEmbedded(store, 10, leaseMs)).map(({ id }) => id)
      expect(ids.toSorted()).toEqual([leased.id, requeued.id, delayed.id].toSorted())
    })

    it('a reset of times in the future keeps leases and delays that can be written now', async () => {
      await acceptOrThrow()
      const claim = await claimOne()
      await acceptOrThrow({ delayMs: 60 * 60 * 1000 })
      await store.resetFutureTimes(leaseMs)
      nowMs += leaseMs - 1
      expect(await claimEmbedded(store, 10, leaseMs)).toEqual([])
      expect(await store.renew([{ ...claim, progress: 1 }], leaseMs)).toEqual([])
    })

    it('a released task can be claimed again immediately, and the claim resumes its attempt', async () => {
      await acceptOrThrow()
      const claim = await claimOne()
      await store.recordOperation(claim, claim.attempt.number, '{"job":1}')
      await store.release([claim])
      expect(await claimOne()).toMatchObject({ fence: 2, attempt: { number: 1, state: 'started', operation: '{"job":1}' } })
    })

    it('queued and running tasks are the same after a restart', async () => {
      const queued = await acceptOrThrow({ parameters: '{"prompt":"päivä 🦊"}' })
      nowMs += 1
      const running = await acceptOrThrow()
      await claimOne()
      const claim = await claimOne()
      expect(claim.id).toBe(running.id)
      await store.renew([{ ...claim, progress: 42 }], leaseMs)
      const tasksBefore = [await store.find(queued.id), await store.find(running.id)]
      nowMs += leaseMs + 1
      store = await engine.reopen(() => nowMs)
      expect([await store.find(queued.id), await store.find(running.id)]).toEqual(tasksBefore)
      expect(await claimEmbedded(store, 5, leaseMs)).toHaveLength(2)
    })

    it('the tasks of one account are listed newest or oldest first, by page and by filter', async () => {
      const otherAccountNo = await newAccount(store, 'acct_two', 1000)
      await store.grant(accountNo, 10_000, 'more')
      const ids: string[] = []
      for (let i = 0; i < 30; i++) {
        nowMs += 1000
        ids.unshift((await acceptOrThrow({ object: i % 2 === 0 ? 'image' : 'video', model: i % 3 === 0 ? 'third' : 'other' })).id)
        await acceptOrThrow({ accountNo: otherAccountNo })
      }
      await store.cancel(ids[0] ?? '')
      const listIds = async (query: object) => (await store.list({ accountNo, limit: 100, ...query })).map((item) => item.id)
      expect(await listIds({})).toEqual(ids)
      expect(await listIds({ limit: 10, beforeId: ids[4] })).toEqual(ids.slice(5, 15))
      expect(await listIds({ object: 'image' })).toEqual(ids.filter((_, index) => index % 2 === 1))
      expect(await listIds({ status: 'failed' })).toEqual([ids[0]])
      expect(await listIds({ model: 'third', limit: 2 })).toEqual([ids[2], ids[5]])
      expect(await listIds({ status: 'queued' })).toEqual(ids.slice(1))
      expect(await listIds({ status: 'queued', beforeId: ids[4], limit: 10 })).toEqual(ids.slice(5, 15))
      expect(await listIds({ status: 'queued', model: 'third', object: 'video', limit: 2 })).toEqual([ids[2], ids[8]])
      expect(await listIds({ status: 'queued', createdFromMs: startMs + 29_000 })).toEqual([ids[1]])
      expect(await listIds({ status: 'processing' })).toEqual([])
      const claimed = (await claimOne()).id
      expect(await listIds({ status: 'processing' })).toEqual([claimed])
      expect(await listIds({ status: 'queued' })).toEqual(ids.slice(1).filter((id) => id !== claimed))
      expect(await listIds({ createdFromMs: startMs + 29_000 })).toEqual(ids.slice(0, 2))
      expect(await listIds({ createdUntilMs: startMs + 3000 })).toEqual(ids.slice(28))
      const oldestFirst = ids.toReversed()
      expect(await listIds({ isOldestFirst: true })).toEqual(oldestFirst)
      expect(await listIds({ isOldestFirst: true, afterId: oldestFirst[4], limit: 10 })).toEqual(oldestFirst.slice(5, 15))
      expect(await listIds({ isOldestFirst: true, status: 'queued', afterId: oldestFirst[4], limit: 3 })).toEqual(
        oldestFirst
          .slice(5)
          .filter((id) => id !== claimed)
          .slice(0, 3),
      )
      expect(await listIds({ isOldestFirst: true, object: 'video', createdUntilMs: startMs + 5000 })).toEqual([
        oldestFirst[1],
        oldestFirst[3],
      ])
      expect(await listIds({ afterId: oldestFirst[27] })).toEqual(ids.slice(0, 2))
      store = await engine.reopen(() => nowMs)
      expect(await listIds({})).toEqual(ids)
      expect(await listIds({ isOldestFirst: true })).toEqual(oldestFirst)
    })

    it('after a clock that was a year ahead is set back, new tasks get ids of the current time and are listed, even after a crash', async () => {
      const clock = () => nowMs
      const yearMs = 365 * dayMs
      const nextTaskId = store.createTaskIds(clock)
      const first = await acceptOrThrow({ id: nextTaskId() })
      nowMs = startMs + yearMs
      const aheadTask = await acceptOrThrow({ id: nextTaskId() })
      expect(createdAtMsOf(aheadTask.id)).toBeGreaterThanOrEqual(startMs + yearMs)
      nowMs = startMs + 60_000
      await vi.waitFor(() => expect(createdAtMsOf(nextTaskId()) - nowMs).toBeLessThan(10), { timeout: 10_000 })
      const currentTask = await acceptOrThrow({ id: nextTaskId() })
      store = await engine.crash(clock)
      nowMs += 5_000
      const nextTaskIdAfterCrash = store.createTaskIds(clock)
      await vi.waitFor(() => expect(createdAtMsOf(nextTaskIdAfterCrash()) - nowMs).toBeLessThan(10), { timeout: 10_000 })
      const lastTask = await acceptOrThrow({ id: nextTaskIdAfterCrash() })
      expect(createdAtMsOf(lastTask.id) - nowMs).toBeLessThan(10)
      const listed = (await store.list({ accountNo, limit: 10 })).map(({ id }) => id)
      expect(listed).toEqual([aheadTask.id, lastTask.id, currentTask.id, first.id])
    })

    it('each change of the status or progress of a task is reported after its commit', async () => {
      const changes: [string, number][] = []
      store.onTaskChanged((changed) => changes.push([changed.status, changed.version]))
      await acceptOrThrow()
      const claim = await claimOne()
      await store.renew([{ ...claim, progress: 10 }], leaseMs)
      await store.complete(claim, [resultOf(claim)], 10)
      expect(changes).toEqual([
        ['processing', 2],
        ['processing', 3],
        ['completed', 4],
      ])
      expect((await store.find(claim.id))?.version).toBe(4)
    })

    it('a host name belongs to one brand, and a brand gets all of its host names or none', async () => {
      const { database } = store
      const insert = (id: string, hosts: string[]) =>
        database
          .insertInto('brands')
          .values({ id, name: id, hosts: JSON.stringify(hosts), created_at: 0 })
          .execute()
      const setHosts = (id: string, hosts: string[]) =>
        database
          .updateTable('brands')
          .set({ hosts: JSON.stringify(hosts) })
          .where('id', '=', id)
          .execute()
      await insert('one', ['a.example', 'b.example'])
      await expect(insert('two', ['c.example', 'b.example'])).rejects.toThrow()
      await insert('two', ['c.example'])
      await expect(setHosts('two', ['d.example', 'a.example'])).rejects.toThrow()
      await setHosts('one', ['b.example'])
      await setHosts('two', ['c.example', 'a.example'])
      const brands = await database
        .selectFrom('brands')
        .select(['id', 'hosts'])
        .where('hosts', '!=', '[]')
        .orderBy('id')
        .execute()
      expect(brands.map(({ id, hosts }) => [id, JSON.parse(hosts)])).toEqual([
        ['one', ['b.example']],
        ['two', ['c.example', 'a.example']],
      ])
    })

    it('each change of brands, their models and API keys is reported within a second', async () => {
      const { database } = store
      let notificationCount = 0
      store.onConfigChanged(async () => void notificationCount++)
      const expectNotified = async (change: { execute: () => Promise<unknown> }) => {
        const countBefore = notificationCount
        await change.execute()
        await expect.poll(() => notificationCount, { timeout: 1000, interval: 10 }).toBeGreaterThan(countBefore)
      }
      await expectNotified(database.insertInto('brands').values({ id: 'one', name: 'One', created_at: 0 }))
      await expectNotified(database.updateTable('brands').set({ name: 'Two' }).where('id', '=', 'one'))
      await expectNotified(
        database.insertInto('brand_models').values({ brand_no: 1, model: 'm', visibility: 'hidden', title: null }),
      )
      await expectNotified(database.updateTable('brand_models').set({ visibility: 'visible' }))
      await expectNotified(
        database.insertInto('api_keys').values({ id: 'k', account_no: accountNo, name: 'x', scopes: '[]', created_at: 0 }),
      )
    })

    it('the backlog counts unfinished tasks by model and status', async () => {
      expect(await store.readBacklog()).toEqual([])
      const { id, model } = await acceptOrThrow()
      await acceptOrThrow({ model: 'another' })
      nowMs += 1000
      await acceptOrThrow()
      await acceptOrThrow()
      await claimOne()
      const oldestAtMs = startMs + 1000
      expect((await store.readBacklog()).toSorted((a, b) => a.tasks - b.tasks || a.model.localeCompare(b.model))).toEqual([
        { model, status: 'processing', tasks: 1, oldestAtMs: createdAtMsOf(id) },
        { model: 'another', status: 'queued', tasks: 1, oldestAtMs: startMs },
        { model, status: 'queued', tasks: 2, oldestAtMs },
      ])
      await store.cancel(id)
      expect((await store.readBacklog()).filter(({ status }) => status === 'processing')).toEqual([])
    })

    it('an expired result is listed until its file is marked as removed', async () => {
      await acceptOrThrow()
      const claim = await claimOne()
      await store.complete(claim, [resultOf(claim)], 10)
      expect(await store.listExpiredResults(10, nowMs)).toEqual([])
      nowMs += 10_000
      const expired = await store.listExpiredResults(10, nowMs)
      expect(expired).toEqual([{ objectKey: resultOf(claim).objectKey, taskId: claim.id }])
      await store.markResultsRemoved(expired, nowMs)
      expect(await store.listExpiredResults(10, nowMs)).toEqual([])
      expect(await store.find(claim.id)).toMatchObject({ status: 'completed', version: 4, results: [{ removed: true }] })
      store = await engine.reopen(() => nowMs)
      expect(await store.find(claim.id)).toMatchObject({ version: 4, results: [{ removed: true }] })
    })
  })
}

function insertAuditLine({ database }: Store, action: string): Statement {
  return database
    .insertInto('audit_log')
    .values({ at: 0, key_no: null, action, target: 'x', before: null, after: null })
    .compile()
}

function renameAccount({ database }: Store, accountNo: number): Statement {
  return database.updateTable('accounts').set({ name: 'renamed' }).where('no', '=', accountNo).compile()
}

async function readEffects({ database }: Store): Promise<{ auditActions: string[]; renamed: number }> {
  const lines = await database.selectFrom('audit_log').select('action').orderBy('no').execute()
  const renamed = await database.selectFrom('accounts').select('no').where('name', '=', 'renamed').execute()
  return { auditActions: lines.map(({ action }) => action), renamed: renamed.length }
}

async function countStoredImages({ database }: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from task_images`.execute(database)
  return Number(rows[0]?.count)
}
