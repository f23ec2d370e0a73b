import { hash } from 'node:crypto'
import type { CreditEntry } from '@framegate/contract'
import type { EntryListQuery, EntryPosition } from '../db/ledger.ts'
import type { Store } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'
import { entryView } from './entry-view.ts'
import { hasExpiredCredits } from './read-balance.ts'

export interface EntryPageQuery extends Omit<EntryListQuery, 'before'> {
  accountId: string
  cursor?: string
}

export interface EntryPage {
  entries: CreditEntry[]
  /** Cursor of the next page. Null on the last page. */
  nextCursor: string | null
}

/**
 * Reads one page of the ledger of an account, newest entry first. Expired credits are removed
 * before the first page is read, so that the sum of all pages equals the balance that the account
 * sees.
 */
export async function listEntries(
  store: Pick<Store, 'listEntries' | 'expireGrants' | 'database'>,
  { accountId, cursor, ...query }: EntryPageQuery,
  nowMs: number,
): Promise<EntryPage> {
  const cursorQuery = cursor === undefined ? {} : { before: decodeCursor(accountId, cursor) }
  const { accountNo } = query
  if (cursor === undefined && (await hasExpiredCredits(store.database, accountNo, nowMs))) await store.expireGrants({ accountNo })
  const entries = await store.listEntries({ ...query, ...cursorQuery, limit: query.limit + 1 })
  const page = entries.slice(0, query.limit)
  const lastEntry = page.at(-1)
  return {
    entries: page.map((entry) => entryView(accountId, entry)),
    nextCursor: entries.length > query.limit && lastEntry !== undefined ? encodeCursor(accountId, lastEntry) : null,
  }
}

/**
 * Encodes a position in the account's ledger. The cursor is valid only for this ledger, and reveals
 * nothing about others.
 */
function encodeCursor(accountId: string, { position, atMs }: EntryPosition): string {
  const checksum = hash('sha256', `framegate entries cursor 1\n${accountId}\n${position}\n${atMs}`).slice(0, 16)
  return Buffer.from(`${position}.${atMs}.${checksum}`).toString('base64url')
}

function decodeCursor(accountId: string, cursor: string): EntryPosition {
  const [position, atMs] = Buffer.from(cursor, 'base64url').toString().split('.').map(Number)
  const cursorPosition = { position: position ?? 0, atMs: atMs ?? 0 }
  if (encodeCursor(accountId, cursorPosition) === cursor) return cursorPosition
  throw new AppError('invalid_parameter', 'cursor must be the next_cursor of an earlier page.', { param: 'cursor' })
}
