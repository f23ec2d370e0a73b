import type { UsageOfAll, UsageOfAllDimension } from '@framegate/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../db/store.ts'
import { csvText } from '../lib/csv-text.ts'
import { dateOf, dayMs } from '../lib/dates.ts'
import { creditsOf, microCreditsOf } from './micro-credits.ts'

export type UsageItem = UsageOfAll['items'][number]
type UsageTotal = UsageOfAll['total']
type Sql = RawBuilder<unknown>
type UsageStore = Pick<Store, 'query' | 'readMany'>

export interface UsageReportQuery {
  /**
   * First day of the report, in days since 1970 (UTC). Both the first and the last day are
   * included.
   */
  fromDay: number
  lastDay: number
  by: readonly UsageOfAllDimension[]
  /**
   * Id of the brand to which the report is limited. Undefined: all brands. `account` and `model`
   * limit the report in the same way.
   */
  brand: string | undefined
  account: string | undefined
  model: string | undefined
  /**
   * Maximum number of rows with usage, and of rows with corrections. A result with fewer items than
   * this number is complete.
   */
  limit: number
}

/** Columns in the order of the primary key that `usage` has in SQLite. */
const accountColumns = ['account_no', 'key_no', 'model', 'route_no', 'day'] as const
const columnOf = {
  day: 'day',
  brand: 'account_no',
  account: 'account_no',
  key: 'key_no',
  model: 'model',
  route: 'route_no',
  upstream: 'route_no',
} as const satisfies Record<UsageOfAllDimension, (typeof accountColumns)[number]>

type NameField = UsageOfAllDimension | 'brand_name' | 'account_name' | 'key_name'

const nameColumns: Record<UsageOfAllDimension, readonly (readonly [NameField, Sql])[]> = {
  day: [['day', sql`i.day`]],
  brand: [
    ['brand', sql`b.id`],
    ['brand_name', sql`b.name`],
  ],
  account: [
    ['account', sql`a.id`],
    ['account_name', sql`a.name`],
  ],
  key: [
    ['key', sql`k.id`],
    ['key_name', sql`k.name`],
  ],
  model: [['model', sql`i.model`]],
  route: [['route', sql`case i.route_no when 0 then 'embedded' else f.name end`]],
  upstream: [['upstream', sql`case i.route_no when 0 then 'embedded' else f.upstream end`]],
}

const tokenColumns = ['input_tokens', 'cached_input_tokens', 'output_tokens'] as const
const summedColumns = ['completed', 'failed', 'charged', 'produced_ms', 'cost', 'cost_unknown', ...tokenColumns] as const
type Names = Partial<Record<NameField, string | number | null>>
type UsedRow = Names & Record<(typeof summedColumns)[number], number>
type CorrectedRow = Names & { corrections: number }

const noUsage = {
  completed: 0,
  failed: 0,
  charged: 0,
  produced_ms: 0,
  cost: 0,
  cost_unknown: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
}

/**
 * Reads usage, revenue, cost and corrections of all accounts, from tasks and requests that have
 * ended. The items are sorted by their dimensions.
 */
export async function readUsageReport(store: UsageStore, query: UsageReportQuery): Promise<UsageItem[]> {
  const fields = nameFieldsOf(query.by)
  const keyOf = (row: Names): string => JSON.stringify(fields.map((field) => row[field] ?? null))
  const [usedRows, correctedRows] = await Promise.all([readUsedRows(store, query), readCorrections(store, query)])
  const items = new Map(usedRows.map((row) => [keyOf(row), itemOf(row, fields)]))
  for (const { corrections, ...row } of correctedRows) {
    const item = items.get(keyOf(row)) ?? itemOf({ ...noUsage, ...row }, fields)
    items.set(keyOf(row), { ...item, corrections: creditsOf(corrections) })
  }
  return [...items.values()].toSorted((left, right) => compare(left, right, fields))
}

export function totalOf(items: readonly UsageItem[]): UsageTotal {
  // Sums micro-credits, because sums of decimal fractions accumulate rounding errors.
  const sumMicroCredits = (valueOf: (item: UsageItem) => number | null): number =>
    items.reduce((total, item) => total + microCreditsOf(valueOf(item) ?? 0), 0)
  const sum = (valueOf: (item: UsageItem) => number): number => items.reduce((total, item) => total + valueOf(item), 0)
  const chargedMicroCredits = sumMicroCredits(({ amount }) => amount)
  const costMicroCredits = sumMicroCredits((item) => item.cost)
  const costUnknownCount = sum((item) => item.cost_unknown)
  return {
    tasks: sum(({ tasks }) => tasks),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    seconds: Math.round(sum(({ seconds }) => seconds) * 1000) / 1000,
    input_tokens: sum((item) => item.input_tokens),
    cached_input_tokens: sum((item) => item.cached_input_tokens),
    output_tokens: sum((item) => item.output_tokens),
    ...moneyFields(chargedMicroCredits, costMicroCredits, costUnknownCount),
    corrections: creditsOf(sumMicroCredits(({ corrections }) => corrections)),
  }
}

export function usageReportCsv(items: readonly UsageItem[], dimensions: readonly UsageOfAllDimension[]): string {
  const valueFields = [
    'tasks',
    'completed',
    'failed',
    'seconds',
    'amount',
    'cost',
    'cost_unknown',
    'margin',
    'corrections',
    ...tokenColumns,
  ] as const
  const fields = [...nameFieldsOf(dimensions), ...valueFields] as const
  return csvText(
    fields,
    items.map((item) => fields.map((field) => item[field])),
  )
}

/**
 * Reads the usage without corrections. Aggregates by numbers (`brand_no`, `account_no`, `key_no`,
 * `route_no`) before it joins the names, so fewer names are looked up.
 */
async function readUsedRows(
  store: UsageStore,
  { fromDay, lastDay, by, limit, ...filters }: UsageReportQuery,
): Promise<UsedRow[]> {
  const readsTotals = filters.account === undefined && !by.includes('account') && !by.includes('key')
  const keys = sql.join((readsTotals ? totalKeys(by) : accountKeys(by)).map((column) => sql.ref(column)))
  const statement = sql`
    select ${namesOf(by)}, ${sql.join(summedColumns.map((name) => sql`sum(i.${sql.ref(name)}) as ${sql.ref(name)}`))}
    from (
      select ${keys}, ${sql.join(summedColumns.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from ${sql.table(readsTotals ? 'usage_totals' : 'usage')}
      where day >= ${fromDay} and day <= ${lastDay} ${readsTotals ? filterBrand(filters) : filterAccounts(filters)} ${filterModel(filters)}
      group by ${keys}
    ) i
    ${joinOwners(by, readsTotals)} ${joinNames(by)}
    group by ${groupOf(by)}
    limit ${limit}`
  // The cast is safe, because the statement names its columns like the fields of `UsedRow`.
  return (await store.readMany(statement.compile(store.query))) as unknown as UsedRow[]
}

function totalKeys(dimensions: readonly UsageOfAllDimension[]): string[] {
  return [...new Set(dimensions.map((dimension) => (dimension === 'brand' ? 'brand_no' : columnOf[dimension])))]
}

/**
 * Returns the columns of the aggregation. Without days, they are a prefix of the primary key that
 * `usage` has in SQLite, which then aggregates rows in their stored order, without a sort.
 */
function accountKeys(dimensions: readonly UsageOfAllDimension[]): string[] {
  const requestedColumns = new Set<string>(dimensions.map((dimension) => columnOf[dimension]))
  if (requestedColumns.has('day')) return [...requestedColumns]
  return accountColumns.slice(0, accountColumns.findLastIndex((column) => requestedColumns.has(column)) + 1)
}

/**
 * Sums the corrections, which have an account and a day, but no model, key or route. The query uses
 * the index `entries_without_task_idx`.
 */
async function readCorrections(store: UsageStore, query: UsageReportQuery): Promise<CorrectedRow[]> {
  const { fromDay, lastDay, by, limit, ...filters } = query
  if (filters.model !== undefined) return []
  const groupedDimensions = by.filter((dimension) => dimension === 'day' || dimension === 'brand' || dimension === 'account')
  const statement = sql`
    select ${groupedDimensions.length === 0 ? sql`` : sql`${namesOf(groupedDimensions)},`} sum(i.amount) as corrections
    from (
      select account_no, at / ${sql.lit(dayMs)} as day, amount
      from entries
      where task_no is null and kind = 'adjust' and at >= ${fromDay * dayMs} and at < ${(lastDay + 1) * dayMs}
        ${filterAccounts(filters)}
    ) i
    ${joinOwners(groupedDimensions, false)}
    ${groupedDimensions.length === 0 ? sql`having count(*) > 0` : sql`group by ${groupOf(groupedDimensions)}`}
    limit ${limit}`
  return (await store.readMany(statement.compile(store.query))) as unknown as CorrectedRow[]
}

type UsageFilter = Pick<UsageReportQuery, 'brand' | 'account' | 'model'>

function filterAccounts({ brand, account }: UsageFilter): Sql {
  if (brand === undefined && account === undefined) return sql``
  const accountFilter = account === undefined ? sql`` : sql`and a.id = ${account}`
  const brandFilter = brand === undefined ? sql`` : sql`and b.id = ${brand}`
  return sql`and account_no in (
    select a.no from accounts a join brands b on b.no = a.brand_no where true ${accountFilter} ${brandFilter}
  )`
}

function filterModel({ model }: UsageFilter): Sql {
  return model === undefined ? sql`` : sql`and model = ${model}`
}

function filterBrand({ brand }: UsageFilter): Sql {
  return brand === undefined ? sql`` : sql`and brand_no in (select b.no from brands b where b.id = ${brand})`
}

function joinOwners(dimensions: readonly UsageOfAllDimension[], readsTotals: boolean): Sql {
  const brands = dimensions.includes('brand')
    ? sql`left join brands b on b.no = ${readsTotals ? sql`i.brand_no` : sql`a.brand_no`}`
    : sql``
  const hasAccounts = !readsTotals && (dimensions.includes('account') || dimensions.includes('brand'))
  return hasAccounts ? sql`left join accounts a on a.no = i.account_no ${brands}` : brands
}

function joinNames(dimensions: readonly UsageOfAllDimension[]): Sql {
  const keys = dimensions.includes('key') ? sql`left join api_keys k on k.no = i.key_no` : sql``
  const hasRoutes = dimensions.includes('route') || dimensions.includes('upstream')
  return hasRoutes ? sql`${keys} left join route_snapshots f on f.no = i.route_no` : keys
}

function namesOf(dimensions: readonly UsageOfAllDimension[]): Sql {
  return sql.join(
    dimensions.flatMap((dimension) => nameColumns[dimension].map(([field, column]) => sql`${column} as ${sql.ref(field)}`)),
  )
}

function groupOf(dimensions: readonly UsageOfAllDimension[]): Sql {
  return sql.join(dimensions.flatMap((dimension) => nameColumns[dimension].map(([, column]) => column)))
}

function nameFieldsOf(dimensions: readonly UsageOfAllDimension[]): NameField[] {
  return dimensions.flatMap((dimension) => nameColumns[dimension].map(([field]) => field))
}

function itemOf(row: UsedRow, fields: readonly NameField[]): UsageItem {
  const names = fields.map((field) => [field, field === 'day' ? dateOf(Number(row.day)) : (row[field] ?? null)])
  return {
    // The cast is safe, because each field has the type of its column.
    ...(Object.fromEntries(names) as Pick<UsageItem, NameField>),
    tasks: row.completed + row.failed,
    completed: row.completed,
    failed: row.failed,
    seconds: row.produced_ms / 1000,
    input_tokens: row.input_tokens,
    cached_input_tokens: row.cached_input_tokens,
    output_tokens: row.output_tokens,
    ...moneyFields(row.charged, row.cost, row.cost_unknown),
    corrections: 0,
  }
}

/** Converts amounts in micro-credits to the fields of a report. */
function moneyFields(
  chargedMicroCredits: number,
  costMicroCredits: number,
  costUnknownCount: number,
): Pick<UsageTotal, 'amount' | 'cost' | 'cost_unknown' | 'margin'> {
  const isKnown = costMicroCredits > 0 || costUnknownCount === 0
  return {
    amount: creditsOf(chargedMicroCredits),
    cost: isKnown ? creditsOf(costMicroCredits) : null,
    cost_unknown: costUnknownCount,
    margin: isKnown ? creditsOf(chargedMicroCredits - costMicroCredits) : null,
  }
}

/** Compares items by these fields. Null values come last. */
function compare(left: UsageItem, right: UsageItem, fields: readonly NameField[]): number {
  for (const field of fields) {
    const [leftName, rightName] = [left[field] ?? null, right[field] ?? null]
    if (leftName === rightName) continue
    if (leftName === null || rightName === null) return leftName === null ? 1 : -1
    return leftName < rightName ? -1 : 1
  }
  return 0
}
