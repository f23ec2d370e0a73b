import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
import type { AcceptOutcome } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newAccount, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { accountSteps, closeBalanced, openWithAccount } from '../store-with-account.ts'

/** Requirements of every store: the assets of a task are kept until the task has ended. */
export function describeTaskAssets(engine: StoreUnderTest): void {
  describe(`assets of tasks in store: ${engine.name}`, () => {
    let nowMs = startMs
    let store: Store
    let accountNo: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      ;({ store, accountNo, nextId } = await openWithAccount(engine, () => nowMs, 100))
    })

    afterEach(() => closeBalanced(engine, store))

    const { accept, acceptOrThrow, readBalance } = accountSteps(() => ({ store, accountNo, nextId }))

    /** Returns the ids of the assets of tasks that have not ended. */
    async function listNeeded(): Promise<string[]> {
      const rows = store.database.selectFrom('task_assets').innerJoin('assets', 'assets.no', 'task_assets.asset_no')
      return (await rows.select('assets.id').execute()).map(({ id }) => id)
    }

    const [ownAsset, foreignAsset, incompleteAsset, unknownAsset] = [
      'asset_mine',
      'asset_theirs',
      'asset_on_its_way',
      'asset_nowhere',
    ]
    const images = '{"reference_images":["asset:…"]}'

    beforeEach(async () => {
      const otherAccountNo = await newAccount(store, 'acct_with_assets', 0)
      const facts = { name: null, content_type: 'image/png', size_bytes: 1, width: 1, height: 1, created_at: 0 }
      for (const [id, owner, stored_at] of [
        [ownAsset, accountNo, 1],
        [foreignAsset, otherAccountNo, 1],
        [incompleteAsset, accountNo, null],
      ] as const) {
        await store.database
          .insertInto('assets')
          .values({ ...facts, id, sha256: id, account_no: owner, stored_at, deleted_at: null, removed_at: null })
          .execute()
      }
    })

    const deleteOwnAsset = () => store.database.updateTable('assets').set({ deleted_at: 1 }).where('id', '=', ownAsset).execute()

    it('the assets of a task are recorded as needed until the task ends, however it ends', async () => {
      const [completed, failed, cancelled] = [
        await acceptOrThrow({ images, assetIds: [ownAsset] }),
        await acceptOrThrow({ images, assetIds: [ownAsset, ownAsset] }),
        await acceptOrThrow({ images, assetIds: [ownAsset] }),
      ]
      expect(await listNeeded()).toEqual([ownAsset, ownAsset, ownAsset])
      const claims = await claimEmbedded(store, 3, leaseMs)
      await store.complete(
        claims.find(({ id }) => id === completed.id)!,
        [resultOf(claims[0]!)],
        1,
      )
      await store.fail(
        claims.find(({ id }) => id === failed.id)!,
        { code: 'upstream_failed', message: 'x' },
      )
      expect(await listNeeded()).toEqual([ownAsset])
      await store.cancel(cancelled.id)
      expect(await listNeeded()).toEqual([])
    })

    it('a submit is rejected with the ids of its assets that are unknown, deleted, incomplete or of another account', async () => {
      const missing = { kind: 'assets_missing', ids: [foreignAsset, incompleteAsset, unknownAsset] }
      const assetIds = [ownAsset, foreignAsset, incompleteAsset, unknownAsset]
      expect(await accept({ images, assetIds })).toEqual(missing)
      expect(await store.findRefusal({ accountNo, keyNo: null, priceMicroCredits: 1, assetIds })).toEqual(missing)
      expect(await store.findRefusal({ accountNo, keyNo: null, priceMicroCredits: 1, assetIds: [ownAsset] })).toBeNull()
      await deleteOwnAsset()
      expect(await accept({ images, assetIds: [ownAsset] })).toEqual({ kind: 'assets_missing', ids: [ownAsset] })
      expect(await listNeeded()).toEqual([])
      expect(await readBalance()).toEqual({ balance: 100, held: 0 })
    })

    it('a retried submit returns its task even if its assets were deleted meanwhile', async () => {
      const retry = { images, assetIds: [ownAsset], idempotency: { key: 'k', digest: 'd' } }
      const first = await acceptOrThrow(retry)
      await deleteOwnAsset()
      expect(await accept(retry)).toEqual({ kind: 'replayed', taskId: first.id })
    })

    it('an asset that is deleted during a submit is either reported as missing or kept for the task', async () => {
      const accepting: Promise<AcceptOutcome>[] = []
      let deleting: Promise<unknown> | undefined
      for (let round = 0; round < 20; round++) {
        accepting.push(accept({ images, assetIds: [ownAsset], priceMicroCredits: 1 }))
        if (round === 8) deleting = deleteOwnAsset()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await deleting
      const kinds = (await Promise.all(accepting)).map(({ kind }) => kind)
      const acceptedCount = kinds.filter((kind) => kind === 'accepted').length
      expect(kinds.slice(acceptedCount)).toEqual(kinds.slice(acceptedCount).map(() => 'assets_missing'))
      expect(acceptedCount).toBeGreaterThanOrEqual(8)
      expect(await listNeeded()).toHaveLength(acceptedCount)
      expect(await accept({ images, assetIds: [ownAsset] })).toMatchObject({ kind: 'assets_missing' })
    })
  })
}
