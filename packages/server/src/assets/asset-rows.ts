import { sql, type Kysely, type Selectable } from 'kysely'
import type { Tables, UploadRow } from '../db/tables.ts'

/**
 * Assets as rows of `uploads`, and what may become of each:
 *
 *   insert      -> on its way        the account has no such bytes, and room for them
 *   mark stored -> stored            its file is whole: it is shown, and tasks may name it
 *   mark deleted-> deleted           it is shown no more; its file stays while a task that has not ended names it
 *   mark removed-> removed           its file is gone; its row goes a day later
 *
 * Every move is one statement that names what it moves from, and the database makes one after the other.
 */
export type AssetRow = Selectable<UploadRow>

export type NewAsset = Omit<AssetRow, 'no' | 'stored_at' | 'deleted_at' | 'removed_at'>

/** Of one account. */
export interface AssetQuota {
  assetsMax: number
  bytesMax: number
}

export interface AssetUsage {
  assets: number
  bytes: number
}

type Query = Kysely<Tables>

/** Undefined, and nothing is written, when the account has these bytes already, or no room for them. */
export async function insertAsset(query: Query, asset: NewAsset, quota: AssetQuota): Promise<AssetRow | undefined> {
  const { id, account_no, name, content_type, size_bytes, sha256, width, height, created_at } = asset
  const { rows } = await sql<AssetRow>`
    insert into uploads (id, account_no, name, content_type, size_bytes, sha256, width, height, created_at)
    select ${id}, ${account_no}, ${name}, ${content_type}, ${size_bytes}, ${sha256}, ${width}, ${height}, ${created_at}
    from (${usageOf(query, account_no)}) as used
    where used.assets < ${quota.assetsMax} and used.bytes <= ${quota.bytesMax - size_bytes}
    on conflict (account_no, sha256) where deleted_at is null do nothing
    returning *`.execute(query)
  return rows[0]
}

/** What the files of an account take, those included that deleted assets have left to tasks under way. */
export async function readUsage(query: Query, accountNo: number): Promise<AssetUsage> {
  return await usageOf(query, accountNo).executeTakeFirstOrThrow()
}

function usageOf(query: Query, accountNo: number) {
  return query
    .selectFrom('uploads')
    .select((row) => [row.fn.countAll<number>().as('assets'), sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes')])
    .where('account_no', '=', accountNo)
    .where('removed_at', 'is', null)
}

/** The asset of an account that has these bytes, stored or on its way. */
export async function findSame(query: Query, accountNo: number, sha256: string): Promise<AssetRow | undefined> {
  return await query
    .selectFrom('uploads')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** False when it was deleted in the meantime: then its file is nobody's. */
export async function markStored(query: Query, no: number, nowMs: number): Promise<boolean> {
  const stored = await query
    .updateTable('uploads')
    .set((row) => ({ stored_at: row.fn.coalesce('stored_at', row.val(nowMs)) }))
    .where('no', '=', no)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return stored.numUpdatedRows > 0n
}

/** False once the file was removed, or was to be. */
export async function isFileKept(query: Query, no: number): Promise<boolean> {
  const rows = query.selectFrom('uploads').select('no').where('no', '=', no).where('removed_at', 'is', null)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Those that are shown. */
function shown(query: Query) {
  return query.selectFrom('uploads').selectAll().where('stored_at', 'is not', null).where('deleted_at', 'is', null)
}

export async function findAsset(query: Query, accountNo: number, id: string): Promise<AssetRow | undefined> {
  return await shown(query).where('account_no', '=', accountNo).where('id', '=', id).executeTakeFirst()
}

/** Newest first: the ids rise. Served by `uploads_account_no_idx`. */
export async function listAssets(query: Query, accountNo: number, limit: number, beforeId?: string): Promise<AssetRow[]> {
  const all = shown(query).where('account_no', '=', accountNo).orderBy('id', 'desc').limit(limit)
  return await (beforeId === undefined ? all : all.where('id', '<', beforeId)).execute()
}

/** Whatever link or task names it: the asset, as long as its file is there. */
export async function findKept(query: Query, id: string): Promise<(AssetRow & { isOfClosedAccount: boolean }) | undefined> {
  const row = await query
    .selectFrom('uploads')
    .innerJoin('accounts', 'accounts.no', 'uploads.account_no')
    .selectAll('uploads')
    .select('accounts.status')
    .where('uploads.id', '=', id)
    .where('stored_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, isOfClosedAccount: row.status === 'closed' }
}

/** The asset, deleted now or within the last day; undefined when the account has, or had, none with this id. */
export async function markDeleted(query: Query, accountNo: number, id: string, nowMs: number): Promise<AssetRow | undefined> {
  return await query
    .updateTable('uploads')
    .set((row) => ({ deleted_at: row.fn.coalesce('deleted_at', row.val(nowMs)) }))
    .where('account_no', '=', accountNo)
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
}

/** Of a closed account. */
export async function markAllDeleted(query: Query, accountNo: number, nowMs: number): Promise<void> {
  await query
    .updateTable('uploads')
    .set({ deleted_at: nowMs })
    .where('account_no', '=', accountNo)
    .where('deleted_at', 'is', null)
    .execute()
}

export async function removeNames(query: Query, accountNo: number): Promise<void> {
  await query
    .updateTable('uploads')
    .set({ name: null })
    .where('account_no', '=', accountNo)
    .where('name', 'is not', null)
    .execute()
}

/** Deletes what nobody can be shown: uploads that were cut short before this time, and what closed accounts have left. */
export async function markAbandoned(query: Query, beganBeforeMs: number, nowMs: number): Promise<void> {
  await query
    .updateTable('uploads')
    .set({ deleted_at: nowMs })
    .where('stored_at', 'is', null)
    .where('created_at', '<', beganBeforeMs)
    .where('deleted_at', 'is', null)
    .execute()
  await query
    .updateTable('uploads')
    .set({ deleted_at: nowMs })
    .where('account_no', 'in', (from) => from.selectFrom('accounts').select('no').where('status', '=', 'closed'))
    .where('deleted_at', 'is', null)
    .execute()
}

/** Deleted assets that no task names which has not ended; their files can go. */
export async function listRemovable(query: Query, limit: number, id?: string): Promise<AssetRow[]> {
  const removable = query
    .selectFrom('uploads')
    .selectAll()
    .where('deleted_at', 'is not', null)
    .where('removed_at', 'is', null)
    .where((is) => is.not(is.exists(is.selectFrom('task_uploads').select('task_no').whereRef('upload_no', '=', 'uploads.no'))))
    .limit(limit)
  return await (id === undefined ? removable : removable.where('id', '=', id)).execute()
}

export async function markRemoved(query: Query, assets: readonly AssetRow[], nowMs: number): Promise<void> {
  const numbers = assets.map(({ no }) => no)
  await query.updateTable('uploads').set({ removed_at: nowMs }).where('no', 'in', numbers).execute()
}

/** Removed assets that nobody has asked for since. */
export async function listForgettable(query: Query, limit: number, removedBeforeMs: number): Promise<AssetRow[]> {
  return await query.selectFrom('uploads').selectAll().where('removed_at', '<', removedBeforeMs).limit(limit).execute()
}

export async function forget(query: Query, assets: readonly AssetRow[]): Promise<void> {
  const numbers = assets.map(({ no }) => no)
  await query.deleteFrom('uploads').where('no', 'in', numbers).execute()
}
