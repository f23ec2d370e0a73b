import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

export interface Balance {
  /** What can be spent. */
  balanceMicroCredits: number
  /** What running tasks have reserved. */
  heldMicroCredits: number
}

export async function readBalance(query: Kysely<Tables>, accountNo: number): Promise<Balance> {
  const account = await query
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('no', '=', accountNo)
    .executeTakeFirstOrThrow()
  return { balanceMicroCredits: account.balance, heldMicroCredits: account.held }
}
