import { randomUUID } from 'node:crypto'
import { noExtraStatements, type ExtraStatements } from '../db/statement.ts'
import type { Store } from '../db/store.ts'

type AccountStore = Pick<Store, 'query' | 'writeAtomically'>

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

/** Creates an account without credits or keys. */
export async function createAccount(
  store: AccountStore,
  { brandNo, name }: AccountRequest,
  nowMs: number,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<{ no: number; id: string }> {
  const { query } = store
  const id = `acct_${randomUUID().replaceAll('-', '')}`
  await store.writeAtomically(
    query.insertInto('accounts').values({ id, brand_no: brandNo, name, status: 'active', created_at: nowMs }).compile(),
    ...extraStatements(id),
  )
  return query.selectFrom('accounts').select(['no', 'id']).where('id', '=', id).executeTakeFirstOrThrow()
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
  const update = store.query
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
