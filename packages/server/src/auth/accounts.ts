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

/**
 * Creates an account without credits or keys. Returns the open account with this name in the brand
 * if there is one.
 */
export async function createAccount(
  store: AccountStore,
  { brandNo, name }: AccountRequest,
  nowMs: number,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<{ no: number; id: string }> {
  const { query } = store
  const id = `acct_${randomUUID().replaceAll('-', '')}`
  const namesake = query
    .selectFrom('accounts')
    .select(['no', 'id'])
    .where('brand_no', '=', brandNo)
    .where('name', '=', name)
    .where('status', '!=', 'closed')
  const newRow = query
    .selectNoFrom((builder) => [
      builder.val(id).as('id'),
      builder.val(brandNo).as('brand_no'),
      builder.val(name).as('name'),
      builder.val('active' as const).as('status'),
      builder.val(nowMs).as('created_at'),
    ])
    .where((builder) => builder.not(builder.exists(namesake)))
  const insert = query.insertInto('accounts').columns(['id', 'brand_no', 'name', 'status', 'created_at']).expression(newRow)
  const isCreated = await store.writeAtomically(insert.compile(), ...extraStatements(id))
  const account = isCreated ? query.selectFrom('accounts').select(['no', 'id']).where('id', '=', id) : namesake
  return account.executeTakeFirstOrThrow()
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
