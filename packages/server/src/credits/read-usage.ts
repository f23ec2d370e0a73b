import type { UsageReport } from '@framegate/contract'
import { sql, type Kysely } from 'kysely'
import { csvText } from '../lib/csv-text.ts'
import { dateOf } from '../lib/dates.ts'
import { creditsOf } from './micro-credits.ts'
import type { Tables } from '../db/tables.ts'

export type UsageDimension = 'day' | 'model' | 'key'
export type UsageRow = UsageReport['rows'][number]

export interface UsageQuery {
  accountNo: number
  /**
   * First day of the report, in days since 1970 (UTC). Both the first and the last day are
   * included.
   */
  fromDay: number
  lastDay: number
  by: readonly UsageDimension[]
  /** Maximum number of rows. A result with fewer rows than this number is complete. */
  limit: number
}

const columnByDimension = { day: 'usage.day', model: 'usage.model', key: 'key.id' } as const

/**
 * Reads the usage of an account, from tasks and requests that have ended, aggregated by the
 * dimensions in `by`.
 */
export async function readUsage(
  query: Kysely<Tables>,
  { accountNo, fromDay, lastDay, by, limit }: UsageQuery,
): Promise<UsageRow[]> {
  const columns = by.map((dimension) => columnByDimension[dimension])
  const rows = await query
    .selectFrom('usage')
    .leftJoin('api_keys as key', 'key.no', 'usage.key_no')
    .select([
      by.includes('day') ? 'usage.day as day' : sql<null>`null`.as('day'),
      by.includes('model') ? 'usage.model as model' : sql<null>`null`.as('model'),
      by.includes('key') ? 'key.id as key' : sql<null>`null`.as('key'),
    ])
    .select(({ fn }) => [
      fn.sum<number>('completed').as('completed'),
      fn.sum<number>('failed').as('failed'),
      fn.sum<number>('charged').as('charged_micro_credits'),
      fn.sum<number>('produced_ms').as('produced_ms'),
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('cached_input_tokens').as('cached_input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
    ])
    .where('usage.account_no', '=', accountNo)
    .where('usage.day', '>=', fromDay)
    .where('usage.day', '<=', lastDay)
    .$if(columns.length > 0, (builder) => columns.reduce((ordered, name) => ordered.orderBy(name), builder.groupBy(columns)))
    .limit(limit)
    .execute()
  return rows.filter(({ completed }) => completed !== null).map((row) => rowOf(row, by))
}

interface SummedRow {
  day: number | null
  model: string | null
  key: string | null
  completed: number
  failed: number
  charged_micro_credits: number
  produced_ms: number
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
}

function rowOf(row: SummedRow, groupedBy: readonly UsageDimension[]): UsageRow {
  const { day, model, key, completed, failed, charged_micro_credits, produced_ms, ...tokens } = row
  const dimensions: Pick<UsageRow, UsageDimension> = {}
  if (groupedBy.includes('day')) dimensions.day = dateOf(day ?? 0)
  if (groupedBy.includes('model')) dimensions.model = model ?? ''
  if (groupedBy.includes('key')) dimensions.key = key
  return { ...dimensions, completed, failed, charged: creditsOf(charged_micro_credits), seconds: produced_ms / 1000, ...tokens }
}

export function usageCsv(rows: readonly UsageRow[], dimensions: readonly UsageDimension[]): string {
  const names = [
    ...dimensions,
    'completed',
    'failed',
    'charged',
    'seconds',
    'input_tokens',
    'cached_input_tokens',
    'output_tokens',
  ] as const
  return csvText(
    names,
    rows.map((row) => names.map((name) => row[name])),
  )
}
