import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

export interface AccountRequest {
  brandNo: number
  name: string
}

/** Null, or left out: without limit. Credits are micro-credits. */
export interface AccountChange {
  name?: string
  status?: 'active' | 'suspended' | 'closed'
  tasksInFlightMax?: number | null
  creditsInFlightMax?: number | null
  /** What becomes of a task over a limit of its key, its account or its brand. */
  overLimit?: 'refuse' | 'wait'
}

/** A new account has no credits and no keys. */
export async function createAccount(
  query: Kysely<Tables>,
  { brandNo, name }: AccountRequest,
  nowMs: number,
): Promise<{ no: number; id: string }> {
  const id = `acct_${randomUUID().replaceAll('-', '')}`
  const { no } = await query
    .insertInto('accounts')
    .values({ id, brand_no: brandNo, name, status: 'active', created_at: nowMs })
    .returning('no')
    .executeTakeFirstOrThrow()
  return { no, id }
}

/**
 * False when there is no such account, or it is closed: that is for good. A suspended account's keys are refused, a closed one's are
 * not known any more; its running tasks end as usual.
 */
export async function changeAccount(query: Kysely<Tables>, accountId: string, change: AccountChange): Promise<boolean> {
  const { name, status, tasksInFlightMax, creditsInFlightMax, overLimit } = change
  const changed = await query
    .updateTable('accounts')
    .set({
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
      ...(tasksInFlightMax !== undefined && { tasks_in_flight_max: tasksInFlightMax }),
      ...(creditsInFlightMax !== undefined && { credits_in_flight_max: creditsInFlightMax }),
      ...(overLimit !== undefined && { over_limit: overLimit }),
    })
    .where('id', '=', accountId)
    .where('status', '!=', 'closed')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
