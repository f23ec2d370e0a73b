import { sql, type Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Whether an idempotency key of the account is remembered. Only called before a refusal. */
export async function isKnownKey(query: Kysely<Tables>, accountNo: number, key: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from idempotency_keys where account_no = ${accountNo} and key = ${key} limit 1`.execute(query)
  return rows.length > 0
}
