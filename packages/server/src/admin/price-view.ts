import type { PriceLineView } from '@framegate/contract'
import type { Kysely } from 'kysely'
import { priceView } from '../catalogue/model-view.ts'
import type { PriceBook, PriceLine } from '../catalogue/price-book.ts'
import type { Tables } from '../db/tables.ts'
import { mapNullable } from '../lib/map-nullable.ts'

/** Converts prices to their views in the operator API. A line with the number 0 is of a dry run. */
export async function priceLineViews(
  database: Kysely<Tables>,
  lines: readonly PriceLine[],
  book: PriceBook,
  nowMs: number,
): Promise<PriceLineView[]> {
  const brands = await ownersOf(database, 'brands', numbersOf(lines, 'brandNo'))
  const accounts = await ownersOf(database, 'accounts', numbersOf(lines, 'accountNo'))
  return lines.map((line) => ({
    object: 'price',
    id: line.no === 0 ? null : `price_${line.no}`,
    model: line.model,
    brand: mapNullable(line.brandNo, (no) => brands.get(no)?.id ?? null),
    brand_name: mapNullable(line.brandNo, (no) => brands.get(no)?.name ?? null),
    account: mapNullable(line.accountNo, (no) => accounts.get(no)?.id ?? null),
    account_name: mapNullable(line.accountNo, (no) => accounts.get(no)?.name ?? null),
    price: mapNullable(line.rule, priceView),
    effective_at: Math.floor(line.effectiveAtMs / 1000),
    created: Math.floor(line.createdAtMs / 1000),
    state: stateOf(line, book, nowMs),
  }))
}

/** Returns whether a price applies now or later, or another price of the same owner replaces it. */
export function stateOf(line: PriceLine, book: PriceBook, nowMs: number): PriceLineView['state'] {
  const isFuture = line.effectiveAtMs > nowMs
  const effectiveLine = book.lineAt(line.model, line, isFuture ? line.effectiveAtMs : nowMs)
  const isEffective = line.no === 0 ? (effectiveLine?.effectiveAtMs ?? 0) <= line.effectiveAtMs : effectiveLine?.no === line.no
  if (!isEffective) return 'replaced'
  return isFuture ? 'later' : 'current'
}

function numbersOf(lines: readonly PriceLine[], name: 'brandNo' | 'accountNo'): number[] {
  return [...new Set(lines.map((line) => line[name]).filter((no) => no !== null))]
}

async function ownersOf(
  database: Kysely<Tables>,
  table: 'brands' | 'accounts',
  numbers: readonly number[],
): Promise<Map<number, { id: string; name: string }>> {
  if (numbers.length === 0) return new Map()
  const rows = await database.selectFrom(table).select(['no', 'id', 'name']).where('no', 'in', numbers).execute()
  return new Map(rows.map(({ no, id, name }) => [no, { id, name }]))
}
