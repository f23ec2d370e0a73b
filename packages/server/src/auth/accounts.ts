import { randomUUID } from 'node:crypto'
import { insertUnlessExists, valueUnlessExists } from '../db/insert-unless-exists.ts'
import { noExtraStatements, type ExtraStatements } from '../db/statement.ts'
import type { Store } from '../db/store.ts'

type AccountStore = Pick<Store, 'database' | 'writeAtomically'>

export interface AccountRequest {
  brandNo: number
  name: string
}

/** An absent field is not changed. A limit of null is no limit. Credits are micro-credits. */
export interface AccountChange {
  name?: string
  status?: 'active' | 'suspended' | 'closed'
  tasksInFlightMax?: number | null
  creditsInFlightMax?: number | null
  requestsPerMinuteMax?: number | null
  tokensPerMinuteMax?: number | null
  /** What happens to a task that would exceed a limit of its key, account or brand. */
  overLimit?: 'refuse' | 'wait'
}

/**
 * Creates an account without credits or keys. If the brand already has an account of this name that
 * is not closed, returns that account, even if another process creates it at the same time.
 */
export async function createAccount(
  store: AccountStore,
  { brandNo, name }: AccountRequest,
  nowMs: number,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<{ no: number; id: string; isNew: boolean }> {
  const { database } = store
  const id = `acct_${randomUUID().replaceAll('-', '')}`
  const accountsOfSameName = database
    .selectFrom('accounts')
    .select(['no', 'id'])
    .where('brand_no', '=', brandNo)
    .where('name', '=', name)
    .where('status', '!=', 'closed')
    .orderBy('no')
  // Locks the brand, so that the next statement sees the accounts of concurrent requests.
  const lockBrand = database
    .updateTable('brands')
    .set((brand) => ({ name: brand.ref('name') }))
    .where('no', '=', brandNo)
  const status = valueUnlessExists(accountsOfSameName, 'active')
  const insert = database.insertInto('accounts').values({ id, brand_no: brandNo, name, status, created_at: nowMs })
  const existingAccount = await insertUnlessExists(accountsOfSameName, id, () =>
    store.writeAtomically(lockBrand.compile(), insert.compile(), ...extraStatements(id)),
  )
  if (existingAccount !== undefined) return { ...existingAccount, isNew: false }
  const created = await database.selectFrom('accounts').select(['no', 'id']).where('id', '=', id).executeTakeFirstOrThrow()
  return { ...created, isNew: true }
}

/**
 * Changes an account. Returns false if the account does not exist or is closed. A closed account
 * cannot be reopened. Requests with keys of a suspended account are rejected, and keys of a closed
 * account are unknown. Running tasks end as usual.
 */
export async function changeAccount(
  store: AccountStore,
  accountId: string,
  change: AccountChange,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<boolean> {
  const { name, status, tasksInFlightMax, creditsInFlightMax, requestsPerMinuteMax, tokensPerMinuteMax, overLimit } = change
  const update = store.database
    .updateTable('accounts')
    .set({
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
      ...(tasksInFlightMax !== undefined && { tasks_in_flight_max: tasksInFlightMax }),
      ...(creditsInFlightMax !== undefined && { credits_in_flight_max: creditsInFlightMax }),
      ...(requestsPerMinuteMax !== undefined && { requests_per_minute_max: requestsPerMinuteMax }),
      ...(tokensPerMinuteMax !== undefined && { tokens_per_minute_max: tokensPerMinuteMax }),
      ...(overLimit !== undefined && { over_limit: overLimit }),
    })
    .where('id', '=', accountId)
    .where('status', '!=', 'closed')
  return store.writeAtomically(update.compile(), ...extraStatements(accountId))
}
