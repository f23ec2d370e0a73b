import type { AdminGrant } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { EntryRow } from '../db/tables/ledger-tables.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import { mapNullable } from '../lib/map-nullable.ts'

interface GrantRow {
  amount: number
  note: string | null
  at: number
  expires_at: number | null
}

/** A grant or a correction of an account's credits. */
export interface BalanceChange {
  kind: EntryRow['kind']
  accountNo: number
  /** Micro-credits. */
  amount: number
}

/** Finds a grant or a correction by its reference. */
export async function findBalanceChange(database: Kysely<Tables>, reference: string): Promise<BalanceChange | undefined> {
  return database
    .selectFrom('entries')
    .select(['kind', 'account_no as accountNo', 'amount'])
    .where('reference', '=', reference)
    .executeTakeFirst()
}

/** Finds a grant by its reference. The query uses the index of references. */
export async function findGrant(database: Kysely<Tables>, reference: string): Promise<GrantRow | undefined> {
  return database
    .selectFrom('entries as entry')
    .leftJoin('grant_parts as part', 'part.entry_no', 'entry.no')
    .leftJoin('grants', 'grants.no', 'part.grant_no')
    .select(['entry.amount', 'entry.note', 'entry.at', 'grants.expires_at'])
    .where('entry.reference', '=', reference)
    .executeTakeFirst()
}

export function grantView(account: string, reference: string, { amount, note, at, expires_at }: GrantRow): AdminGrant {
  return {
    object: 'grant',
    account,
    reference,
    amount: creditsOf(amount),
    note,
    created: Math.floor(at / 1000),
    expires_at: mapNullable(expires_at, (milliseconds) => Math.floor(milliseconds / 1000)),
  }
}
