import { createApiKeyText, digestOfApiKey } from '../../packages/server/src/auth/api-key.ts'
import type { RunningServer } from '../../packages/server/src/index.ts'

export const firstAccountNo = 1000

const scopes = JSON.stringify(['tasks:write', 'tasks:read', 'webhooks:write'])
/** Credits per account: a million, so that no submit is rejected. */
const microCredits = 1e12

/** Adds accounts with credits. Returns one API key of each account. */
export async function addAccounts({ store, keys }: RunningServer, count: number): Promise<string[]> {
  const { database } = store
  const brand = await database.selectFrom('brands').select('no').executeTakeFirstOrThrow()
  const texts = Array.from({ length: count }, createApiKeyText)
  // Concurrent inserts share commits.
  await Promise.all(texts.map(addAccount))
  await keys.reload()
  return texts

  async function addAccount(text: string, index: number): Promise<void> {
    const accountNo = firstAccountNo + index
    await database
      .insertInto('accounts')
      .values({ no: accountNo, id: `acct_${index}`, brand_no: brand.no, name: 'bench', status: 'active', created_at: 0 })
      .execute()
    await database
      .insertInto('api_keys')
      .values({
        id: `key_${index}`,
        account_no: accountNo,
        no: accountNo,
        name: 'bench',
        scopes,
        created_at: 0,
      })
      .execute()
    await database
      .insertInto('api_key_secrets')
      .values({ key_no: accountNo, digest: digestOfApiKey(text), created_at: 0 })
      .execute()
    await store.grant(accountNo, microCredits, 'to begin with')
  }
}

/**
 * Sets every kind of limit on an account, its key and all brands, and grants credits that expire.
 * No limit is ever reached.
 */
export async function limitAccount({ store, keys }: RunningServer, accountNo: number): Promise<void> {
  const inFlight = { tasks_in_flight_max: 1e9, credits_in_flight_max: 1e15 }
  await store.database
    .updateTable('api_keys')
    .set({ ...inFlight, requests_per_second_max: 1e9, spent_per_day_max: 1e15, spent_per_month_max: 1e15 })
    .where('no', '=', accountNo)
    .execute()
  await store.database.updateTable('accounts').set(inFlight).where('no', '=', accountNo).execute()
  await store.database.updateTable('brands').set(inFlight).execute()
  await store.grant(accountNo, microCredits, 'for a day', { expiresAtMs: Date.now() + 86_400_000 })
  await keys.reload()
}
