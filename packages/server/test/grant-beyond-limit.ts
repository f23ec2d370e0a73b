import { sql } from 'kysely'
import type { Store } from '../src/db/store.ts'

/**
 * Grants micro-credits to a new account above the current limit, as an earlier version without a
 * limit allowed.
 */
export async function grantBeyondLimit(
  { database, isShared }: Store,
  accountNo: number,
  amounts: readonly bigint[],
): Promise<void> {
  const newest = sql`(select max(no) from entries where account_no = ${accountNo})`
  let balance = 0n
  for (const [index, amount] of amounts.entries()) {
    balance += amount
    const [column, value] = isShared ? [sql``, sql``] : [sql`, previous_no`, sql`, ${newest}`]
    await sql`
      insert into entries (account_no, position, kind, amount, held, balance_after, at${column})
      values (${accountNo}, ${index + 1}, 'grant', ${amount}, 0, ${balance}, 0${value})`.execute(database)
  }
  const lastColumn = isShared ? sql`last_position = ${amounts.length}` : sql`last_entry_no = ${newest}`
  await sql`update accounts set balance = ${balance}, ${lastColumn} where no = ${accountNo}`.execute(database)
  if (!isShared) await sql`update balances_written set entry_no = (select max(no) from entries)`.execute(database)
}
