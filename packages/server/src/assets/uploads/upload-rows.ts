import { sql, type Kysely, type Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { UploadRow } from '../../db/tables/asset-tables.ts'
import { usageOf, type AssetQuota } from '../asset-rows.ts'
import type { UploadLimits } from './upload-limits.ts'

/**
 * Uploads as rows of `uploads`, and their states:
 *
 *   insert      -> receiving  the account has capacity for the complete file
 *   reserve     -> receiving  a piece gets a number of its own before it is stored
 *   add piece   -> receiving  the piece is stored, and the offset has not moved since `reserve`
 *   end         -> ended      it has an asset, an error or neither, and its pieces can be removed
 *   removed     -> removed    its pieces are gone
 *   purge       -> (no row)   it has expired, and its pieces were removed an hour ago
 *
 * Of several concurrent requests at the same offset, the first to add its piece succeeds, and the
 * others fail. Every transition is one statement, and the database serializes them.
 */
export type StoredUpload = Selectable<UploadRow>

export type NewUpload = Pick<
  StoredUpload,
  'id' | 'account_no' | 'size_bytes' | 'metadata' | 'name' | 'sha256' | 'created_at' | 'expires_at'
>

/** A part of an upload's bytes, stored as one object. */
export interface Piece {
  number: number
  sizeBytes: number
}

type Database = Kysely<Tables>

/** Inserts an upload. Returns undefined without writing anything if there is no capacity for it. */
export async function insertUpload(
  database: Database,
  upload: NewUpload,
  quota: AssetQuota,
  limits: Pick<UploadLimits, 'unfinishedPerAccountMax' | 'unfinishedMax'>,
): Promise<StoredUpload | undefined> {
  const { id, account_no, size_bytes, metadata, name, sha256, created_at, expires_at } = upload
  const { rows } = await sql<StoredUpload>`
    insert into uploads (id, account_no, size_bytes, metadata, name, sha256, created_at, expires_at)
    select ${id}, ${account_no}, ${size_bytes}, ${metadata}, ${name}, ${sha256}, ${created_at}, ${expires_at}
    from (${usageOf(database, account_no)}) as used, (${selectUnfinished(database, account_no)}) as own, (${selectUnfinished(database)}) as total
    where own.uploads < ${limits.unfinishedPerAccountMax}
      and total.uploads < ${limits.unfinishedMax}
      and used.assets + own.uploads < ${quota.assetsMax}
      and used.bytes + own.bytes <= ${quota.bytesMax - size_bytes}
    returning *`.execute(database)
  return rows[0]
}

export interface UnfinishedUploads {
  uploads: number
  /** Total of the announced file sizes in bytes. */
  bytes: number
  /** Total of the received bytes. */
  received: number
}

/**
 * Reads the totals of the uploads whose pieces are still stored, of one account or of all accounts.
 */
export async function readUnfinished(database: Database, accountNo?: number): Promise<UnfinishedUploads> {
  return await selectUnfinished(database, accountNo).executeTakeFirstOrThrow()
}

function selectUnfinished(database: Database, accountNo?: number) {
  const unfinishedUploads = database
    .selectFrom('uploads')
    .select((row) => [
      row.fn.countAll<number>().as('uploads'),
      sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
      sql<number>`coalesce(sum(received_bytes), 0)`.as('received'),
    ])
    .where('removed_at', 'is', null)
  return accountNo === undefined ? unfinishedUploads : unfinishedUploads.where('account_no', '=', accountNo)
}

/** Finds an upload, unless it has expired or was deleted. */
export async function findUpload(
  database: Database,
  accountNo: number,
  id: string,
  nowMs: number,
): Promise<StoredUpload | undefined> {
  return await database
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('account_no', '=', accountNo)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
}

/** Lists the uploads of an account that have not ended, newest first. Ids increase over time. */
export async function listUnfinished(
  database: Database,
  accountNo: number,
  limit: number,
  nowMs: number,
): Promise<StoredUpload[]> {
  return await database
    .selectFrom('uploads')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Assigns a number to a received piece. Undefined: the upload has ended, or its offset has moved.
 */
export async function reservePieceNumber(database: Database, no: number, offset: number): Promise<number | undefined> {
  const reservation = await database
    .updateTable('uploads')
    .set((row) => ({ last_piece: row('last_piece', '+', 1) }))
    .where('no', '=', no)
    .where('ended_at', 'is', null)
    .where('received_bytes', '=', offset)
    .returning('last_piece')
    .executeTakeFirst()
  return reservation?.last_piece
}

/**
 * Adds a stored piece to its upload. Undefined: another request has moved the offset, or the upload
 * has ended. The caller must then remove the object of the piece.
 */
export async function addPiece(
  database: Database,
  no: number,
  { number, sizeBytes }: Piece,
  offset: number,
  expiresAtMs: number,
): Promise<StoredUpload | undefined> {
  return await database
    .updateTable('uploads')
    .set((row) => ({
      received_bytes: row('received_bytes', '+', sizeBytes),
      pieces: sql<string>`pieces || ${`${number}:${sizeBytes} `}`,
      expires_at: expiresAtMs,
    }))
    .where('no', '=', no)
    .where('ended_at', 'is', null)
    .where('received_bytes', '=', offset)
    .returningAll()
    .executeTakeFirst()
}

export type UploadEnd = { asset_id: string } | { error: string }

/**
 * Ends an upload with its asset or its error. Returns the row after the end, even if another
 * process has ended the upload first.
 */
export async function endUpload(
  database: Database,
  no: number,
  end: UploadEnd,
  nowMs: number,
  expiresAtMs: number,
): Promise<StoredUpload | undefined> {
  const endedRow = await database
    .updateTable('uploads')
    .set({ ...end, ended_at: nowMs, expires_at: expiresAtMs })
    .where('no', '=', no)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return endedRow ?? (await database.selectFrom('uploads').selectAll().where('no', '=', no).executeTakeFirst())
}

/** Ends and hides an upload. Undefined: the account has no upload with this id. */
export async function markUploadDeleted(
  database: Database,
  accountNo: number,
  id: string,
  nowMs: number,
): Promise<StoredUpload | undefined> {
  return await database
    .updateTable('uploads')
    .set((row) => ({ ended_at: row.fn.coalesce('ended_at', row.val(nowMs)), expires_at: nowMs }))
    .where('id', '=', id)
    .where('account_no', '=', accountNo)
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst()
}

/** Ends and hides all uploads of a closed account, and erases their names. */
export async function eraseUploadRows(database: Database, accountNo: number, nowMs: number): Promise<void> {
  await database
    .updateTable('uploads')
    .set((row) => ({
      ended_at: row.fn.coalesce('ended_at', row.val(nowMs)),
      expires_at: nowMs,
      metadata: null,
      name: null,
      sha256: null,
      error: null,
    }))
    .where('account_no', '=', accountNo)
    .execute()
}

/** Ends the uploads that have expired and the uploads of closed accounts. */
export async function endAbandoned(database: Database, nowMs: number): Promise<void> {
  await database
    .updateTable('uploads')
    .set({ ended_at: nowMs, expires_at: nowMs })
    .where('ended_at', 'is', null)
    .where((row) =>
      row.or([
        row('expires_at', '<=', nowMs),
        row('account_no', 'in', (builder) => builder.selectFrom('accounts').select('no').where('status', '=', 'closed')),
      ]),
    )
    .execute()
}

export interface RemovableFilter {
  no?: number
  accountNo?: number
}

/** Lists ended uploads whose pieces are still stored, without the first `skipCount`. */
export async function listRemovableUploads(
  database: Database,
  limit: number,
  { no, accountNo }: RemovableFilter,
  skipCount: number,
): Promise<StoredUpload[]> {
  return await database
    .selectFrom('uploads')
    .selectAll()
    .where('ended_at', 'is not', null)
    .where('removed_at', 'is', null)
    .$if(no !== undefined, (select) => select.where('no', '=', no ?? 0))
    .$if(accountNo !== undefined, (select) => select.where('account_no', '=', accountNo ?? 0))
    .orderBy('ended_at')
    .orderBy('no')
    .limit(limit)
    .offset(skipCount)
    .execute()
}

export async function markPiecesRemoved(database: Database, no: number, nowMs: number): Promise<void> {
  await database.updateTable('uploads').set({ removed_at: nowMs, pieces: '' }).where('no', '=', no).execute()
}

/** Lists expired uploads whose pieces were removed before the given time. */
export async function listPurgeableUploads(
  database: Database,
  limit: number,
  { expiredAtMs, removedBeforeMs }: { expiredAtMs: number; removedBeforeMs: number },
  skipCount: number,
): Promise<StoredUpload[]> {
  return await database
    .selectFrom('uploads')
    .selectAll()
    .where('expires_at', '<=', expiredAtMs)
    .where('removed_at', '<', removedBeforeMs)
    .orderBy('expires_at')
    .orderBy('no')
    .limit(limit)
    .offset(skipCount)
    .execute()
}

export async function purgeUpload(database: Database, no: number): Promise<void> {
  await database.deleteFrom('uploads').where('no', '=', no).execute()
}
