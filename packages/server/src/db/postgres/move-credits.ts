import assert from 'node:assert'
import type { Clock } from '../../lib/clock.ts'
import type { AdjustOptions, GrantOptions } from '../ledger.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { toStorable } from './storable-text.ts'
import { inTransaction, queryValue } from './transaction.ts'

export interface CreditWriter {
  writer: OrderedWriter
  /** Replaces the clock of the database in tests. Null: the database's clock is used. */
  testClock: Clock | null
}

interface Movement {
  accountNo: number
  microCredits: number
  note: string
}

/** Implements `Ledger.grant`. */
export async function grantCredits(
  { writer, testClock }: CreditWriter,
  { accountNo, microCredits, note }: Movement,
  options: GrantOptions = {},
): Promise<boolean> {
  const { expiresAtMs = null, reference = null, extraStatements = [] } = options
  assert(
    Number.isSafeInteger(microCredits) && microCredits > 0,
    `a grant must be a whole number of micro-credits above 0; got ${microCredits}`,
  )
  const outcome = await inTransaction(writer, extraStatements, async (client) => {
    const sql = 'select grant_credits($1, $2, $3, $4, $5, coalesce($6, database_ms())) as result'
    const values = [accountNo, microCredits, toStorable(note), expiresAtMs, reference, testClock?.() ?? null]
    return await queryValue(client, sql, values)
  })
  return outcome === true
}

/** Implements `Ledger.adjust`. */
export async function adjustCredits(
  { writer, testClock }: CreditWriter,
  { accountNo, microCredits, note }: Movement,
  options: AdjustOptions = {},
): Promise<boolean> {
  const { reference = null, extraStatements = [] } = options
  assert(
    Number.isSafeInteger(microCredits) && microCredits !== 0,
    `an adjustment must be a whole number of micro-credits other than 0; got ${microCredits}`,
  )
  const outcome = await inTransaction(writer, extraStatements, async (client) => {
    const sql = 'select adjust_credits($1, $2, $3, $4, coalesce($5, database_ms())) as result'
    return await queryValue(client, sql, [accountNo, microCredits, toStorable(note), reference, testClock?.() ?? null])
  })
  return outcome !== false
}
