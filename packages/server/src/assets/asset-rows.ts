import { sql, type Kysely, type Selectable } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { AssetRow } from '../db/tables/asset-tables.ts'

/**
 * Assets as rows of `assets`, and their states:
 *
 *   insert       -> uploading  the account has capacity, and no other asset with these bytes
 *   mark stored  -> stored     its file is complete, it is listed, and tasks may name it
 *   mark deleted -> deleted    it is not listed; its file stays while an unfinished task names it
 *   mark removed -> removed    its file is gone; its row is deleted a day later
 *
 * Every transition is one statement, and the database serializes the changes of a row.
 */
export type StoredAsset = Selectable<AssetRow>

export type NewAsset = Omit<StoredAsset, 'no' | 'stored_at' | 'deleted_at' | 'removed_at'>

/** Limits of one account. */
export interface AssetQuota {
  assetsMax: number
  bytesMax: number
}

export interface AssetUsage {
  assets: number
  bytes: number
}

type Database = Kysely<Tables>

/**
 * Inserts an asset. Returns undefined without writing anything if the account already has an asset
 * with these bytes, or has no capacity for them. Inserts of other processes at the same moment are
 * not counted.
 */
export async function insertAsset(database: Database, asset: NewAsset, quota: AssetQuota): Promise<StoredAsset | undefined> {
  const { id, account_no, name, content_type, size_bytes, sha256, width, height, created_at } = asset
  const { duration_ms, frames_per_second, codecs, has_audio } = asset
  const { rows } = await sql<StoredAsset>`
    insert into assets (
      id, account_no, name, content_type, size_bytes, sha256, width, height, duration_ms, frames_per_second, codecs, has_audio,
      created_at
    )
    select
      ${id}, ${account_no}, ${name}, ${content_type}, ${size_bytes}, ${sha256}, ${width}, ${height}, ${duration_ms},
      ${frames_per_second}, ${codecs}, ${has_audio}, ${created_at}
    from (${usageOf(database, account_no)}) as used
    where used.assets < ${quota.assetsMax} and used.bytes <= ${quota.bytesMax - size_bytes}
    on conflict (account_no, sha256) where deleted_at is null do nothing
    returning *`.execute(database)
  return rows[0]
}

/**
 * Reads the number and size of an account's files, including those of deleted assets that
 * unfinished tasks still need.
 */
export async function readUsage(database: Database, accountNo: number): Promise<AssetUsage> {
  return await usageOf(database, accountNo).executeTakeFirstOrThrow()
}

/** Returns the query for the number and size of an account's files. */
export function usageOf(database: Database, accountNo: number) {
  return database
    .selectFrom('assets')
    .select((row) => [row.fn.countAll<number>().as('assets'), sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes')])
    .where('account_no', '=', accountNo)
    .where('removed_at', 'is', null)
}

/** Finds the account's asset with these bytes, stored or still uploading. */
export async function findIdentical(database: Database, accountNo: number, sha256: string): Promise<StoredAsset | undefined> {
  return await database
    .selectFrom('assets')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Marks an uploading asset as stored. Returns undefined if another request has already done this,
 * or if the asset was deleted in the meantime.
 */
export async function markStored(database: Database, no: number, nowMs: number): Promise<StoredAsset | undefined> {
  return await database
    .updateTable('assets')
    .set({ stored_at: nowMs })
    .where('no', '=', no)
    .where('stored_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Records that another request shares a stored asset, by adding 1 ms to its `stored_at`. The
 * request that created the asset then no longer discards it (`markDiscarded`). Returns undefined if
 * the asset was deleted in the meantime.
 */
export async function markShared(database: Database, no: number): Promise<StoredAsset | undefined> {
  return await database
    .updateTable('assets')
    .set((row) => ({ stored_at: row('stored_at', '+', 1) }))
    .where('no', '=', no)
    .where('stored_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Whether the asset's file has not been removed. */
export async function hasFile(database: Database, no: number): Promise<boolean> {
  const rows = database.selectFrom('assets').select('no').where('no', '=', no).where('removed_at', 'is', null)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Returns the query for the assets that clients can see. */
function visibleAssets(database: Database) {
  return database.selectFrom('assets').selectAll().where('stored_at', 'is not', null).where('deleted_at', 'is', null)
}

export async function findAsset(database: Database, accountNo: number, id: string): Promise<StoredAsset | undefined> {
  return await visibleAssets(database).where('account_no', '=', accountNo).where('id', '=', id).executeTakeFirst()
}

/**
 * Lists an account's assets, newest first. Ids increase over time. The query uses the index
 * `assets_account_no_idx`.
 */
export async function listAssets(
  database: Database,
  accountNo: number,
  limit: number,
  beforeId?: string,
): Promise<StoredAsset[]> {
  const newestFirst = visibleAssets(database).where('account_no', '=', accountNo).orderBy('id', 'desc').limit(limit)
  return await (beforeId === undefined ? newestFirst : newestFirst.where('id', '<', beforeId)).execute()
}

/**
 * Finds an asset of any account, if its file is still stored. Links and tasks may refer to such an
 * asset.
 */
export async function findWithFile(
  database: Database,
  id: string,
): Promise<(StoredAsset & { isOfClosedAccount: boolean }) | undefined> {
  const row = await database
    .selectFrom('assets')
    .innerJoin('accounts', 'accounts.no', 'assets.account_no')
    .selectAll('assets')
    .select('accounts.status')
    .where('assets.id', '=', id)
    .where('stored_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, isOfClosedAccount: row.status === 'closed' }
}

/**
 * Marks an asset as deleted and returns it. Also returns an asset that was deleted earlier, if its
 * row still exists. Undefined: the account has no such asset, or the asset is still uploading.
 */
export async function markDeleted(
  database: Database,
  accountNo: number,
  id: string,
  nowMs: number,
): Promise<StoredAsset | undefined> {
  return await database
    .updateTable('assets')
    .set((row) => ({ deleted_at: row.fn.coalesce('deleted_at', row.val(nowMs)) }))
    .where('account_no', '=', accountNo)
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Marks an asset as deleted, unless it has changed since `asset` was read. Undefined: it has
 * changed.
 */
export async function markDiscarded(database: Database, asset: StoredAsset, nowMs: number): Promise<StoredAsset | undefined> {
  return await database
    .updateTable('assets')
    .set({ deleted_at: nowMs })
    .where('no', '=', asset.no)
    .where('stored_at', '=', asset.stored_at)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Marks all assets of a closed account as deleted. */
export async function markAllDeleted(database: Database, accountNo: number, nowMs: number): Promise<void> {
  await database
    .updateTable('assets')
    .set({ deleted_at: nowMs })
    .where('account_no', '=', accountNo)
    .where('deleted_at', 'is', null)
    .execute()
}

export async function removeNames(database: Database, accountNo: number): Promise<void> {
  await database
    .updateTable('assets')
    .set({ name: null })
    .where('account_no', '=', accountNo)
    .where('name', 'is not', null)
    .execute()
}

/**
 * Marks abandoned assets as deleted: those whose upload began before `startedBeforeMs` and was
 * interrupted, and assets of closed accounts.
 */
export async function markAbandoned(database: Database, startedBeforeMs: number, nowMs: number): Promise<void> {
  await database
    .updateTable('assets')
    .set({ deleted_at: nowMs })
    .where('stored_at', 'is', null)
    .where('created_at', '<', startedBeforeMs)
    .where('deleted_at', 'is', null)
    .execute()
  await database
    .updateTable('assets')
    .set({ deleted_at: nowMs })
    .where('account_no', 'in', (builder) => builder.selectFrom('accounts').select('no').where('status', '=', 'closed'))
    .where('deleted_at', 'is', null)
    .execute()
}

export interface RemovableFilter {
  id?: string
  accountNo?: number
}

/**
 * Lists deleted assets whose files can be removed, because no unfinished task refers to them. Omits
 * the first `skipCount`. The assets that were deleted first are listed first.
 */
export async function listRemovable(
  database: Database,
  limit: number,
  { id, accountNo }: RemovableFilter,
  skipCount: number,
): Promise<StoredAsset[]> {
  return await database
    .selectFrom('assets')
    .selectAll()
    .where('deleted_at', 'is not', null)
    .where('removed_at', 'is', null)
    .where((builder) =>
      builder.not(builder.exists(builder.selectFrom('task_assets').select('task_no').whereRef('asset_no', '=', 'assets.no'))),
    )
    .$if(id !== undefined, (select) => select.where('id', '=', id ?? ''))
    .$if(accountNo !== undefined, (select) => select.where('account_no', '=', accountNo ?? 0))
    .orderBy('deleted_at')
    .orderBy('no')
    .limit(limit)
    .offset(skipCount)
    .execute()
}

export async function markRemoved(database: Database, assets: readonly StoredAsset[], nowMs: number): Promise<void> {
  const numbers = assets.map(({ no }) => no)
  await database.updateTable('assets').set({ removed_at: nowMs }).where('no', 'in', numbers).execute()
}

/** Lists assets whose files were removed before the given time, without the first `skipCount`. */
export async function listPurgeable(
  database: Database,
  limit: number,
  removedBeforeMs: number,
  skipCount: number,
): Promise<StoredAsset[]> {
  const purgeable = database.selectFrom('assets').selectAll().where('removed_at', '<', removedBeforeMs)
  return await purgeable.orderBy('removed_at').orderBy('no').limit(limit).offset(skipCount).execute()
}

/**
 * Deletes the row of an uploading asset. Does nothing if another request has stored the file in the
 * meantime.
 */
export async function purgeUploading(database: Database, no: number): Promise<void> {
  await database.deleteFrom('assets').where('no', '=', no).where('stored_at', 'is', null).execute()
}

export async function purge(database: Database, assets: readonly StoredAsset[]): Promise<void> {
  const numbers = assets.map(({ no }) => no)
  await database.deleteFrom('assets').where('no', 'in', numbers).execute()
}
