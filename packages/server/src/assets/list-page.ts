import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../lib/app-error.ts'
import { isAssetId } from '../identity/asset-id.ts'
import { listAssets, type StoredAsset } from './asset-rows.ts'

export interface AssetPage {
  assets: StoredAsset[]
  /** Null on the last page. */
  nextCursor: string | null
}

/** Reads one page of the account's assets, newest first. */
export async function listPage(database: Kysely<Tables>, accountNo: number, limit: number, cursor?: string): Promise<AssetPage> {
  const beforeId = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await listAssets(database, accountNo, limit + 1, beforeId)
  const assets = rows.slice(0, limit)
  const lastAsset = assets.at(-1)
  return { assets, nextCursor: rows.length > limit && lastAsset !== undefined ? encodeCursor(lastAsset.id) : null }
}

const idPrefix = 'asset_'

function encodeCursor(lastId: string): string {
  return Buffer.from(lastId.slice(idPrefix.length), 'hex').toString('base64url')
}

function decodeCursor(cursor: string): string {
  const id = idPrefix + Buffer.from(cursor, 'base64url').toString('hex')
  if (isAssetId(id) && encodeCursor(id) === cursor) return id
  throw new AppError('invalid_parameter', 'cursor must be the next_cursor of an earlier page.', { param: 'cursor' })
}
