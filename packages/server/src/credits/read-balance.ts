import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../db/tables.ts'

export interface Balance {
  /** Credits that can be spent. */
  balanceMicroCredits: number
  /** Credits that unfinished tasks and requests hold. */
  heldMicroCredits: number
}

export interface ExpiringPart {
  microCredits: number
  expiresAtMs: number
}

/**
 * Returns an SQL expression for the remaining credits of expired grants, which the stored balance
 * still includes although they cannot be spent.
 */
export function expiredCredits(accountNoColumn: 'accounts.no' | 'account.no', nowMs: number): RawBuilder<number> {
  const sum = sql`select sum(remaining) from grants where account_no = ${sql.ref(accountNoColumn)} and expires_at <= ${nowMs}`
  return sql<number>`coalesce((${sum}), 0)`
}

/**
 * Reads the balance without the credits of expired grants, even if their removal has not been
 * written yet.
 */
export async function readBalance(database: Kysely<Tables>, accountNo: number, nowMs: number): Promise<Balance> {
  const account = await database
    .selectFrom('accounts')
    .select(['balance', 'held', expiredCredits('accounts.no', nowMs).as('expired')])
    .where('no', '=', accountNo)
    .executeTakeFirstOrThrow()
  return { balanceMicroCredits: account.balance - account.expired, heldMicroCredits: account.held }
}

/** Whether the stored balance contains expired credits whose removal has not been written yet. */
export async function hasExpiredCredits(database: Kysely<Tables>, accountNo: number, nowMs: number): Promise<boolean> {
  const grant = await database
    .selectFrom('grants')
    .select('no')
    .where('account_no', '=', accountNo)
    .where('expires_at', '<=', nowMs)
    .where('remaining', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

/** Reads the parts of the balance that expire, soonest first. */
export async function readExpiringParts(
  database: Kysely<Tables>,
  { accountNo, nowMs, limit }: { accountNo: number; nowMs: number; limit: number },
): Promise<ExpiringPart[]> {
  const grants = await database
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
