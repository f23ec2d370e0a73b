import { sql, type Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

export interface Balance {
  /** What can be spent. */
  balanceMicroCredits: number
  /** What running tasks have reserved. */
  heldMicroCredits: number
}

export interface ExpiringPart {
  microCredits: number
  expiresAtMs: number
}

/** A grant whose day has come counts for nothing, though the entry that takes it off may not be written yet. */
export async function readBalance(query: Kysely<Tables>, accountNo: number, nowMs: number): Promise<Balance> {
  const account = await query
    .selectFrom('accounts')
    .select((from) => [
      'balance',
      'held',
      from
        .selectFrom('grants')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('remaining'), sql<number>`0`).as('sum'))
        .where('account_no', '=', accountNo)
        .where('expires_at', '<=', nowMs)
        .as('expired'),
    ])
    .where('no', '=', accountNo)
    .executeTakeFirstOrThrow()
  return { balanceMicroCredits: account.balance - Number(account.expired), heldMicroCredits: account.held }
}

/** The parts of the balance that expire, soonest first. */
export async function readExpiringParts(
  query: Kysely<Tables>,
  { accountNo, nowMs, limit }: { accountNo: number; nowMs: number; limit: number },
): Promise<ExpiringPart[]> {
  const grants = await query
    .selectFrom('grants')
    .select(['remaining', 'expires_at'])
    .where('account_no', '=', accountNo)
    .where('expires_at', '>', nowMs)
    .where('remaining', '>', 0)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return grants.map((grant) => ({ microCredits: grant.remaining, expiresAtMs: grant.expires_at }))
}
