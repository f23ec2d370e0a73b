import type { Model, PriceRule } from '../catalogue/model.ts'
import type { PriceBook, PriceLine, PriceOwner } from '../catalogue/price-book.ts'

export interface EffectivePrice<Origin> {
  /** The price that applies. Null: the model has no price. */
  rule: PriceRule | null
  /** The kind of owner whose price applies, or `catalogue`. */
  from: Origin | 'catalogue'
  /** The stored price of that owner. Undefined if the price comes from the catalogue. */
  line: PriceLine | undefined
}

/** Owners whose prices apply, most specific first. */
type Owners<Origin> = readonly (readonly [from: Origin, owner: PriceOwner])[]

const allAccounts = ['all', { brandNo: null, accountNo: null }] as const

export function ownersForBrand(brandNo: number | null): Owners<'brand' | 'all'> {
  return brandNo === null ? [allAccounts] : [['brand', { brandNo, accountNo: null }], allAccounts]
}

export function ownersForAccount(accountNo: number, brandNo: number): Owners<'account' | 'brand' | 'all'> {
  return [['account', { brandNo: null, accountNo }], ...ownersForBrand(brandNo)]
}

export function effectivePrice<Origin>(
  model: Pick<Model, 'id' | 'price'>,
  owners: Owners<Origin>,
  book: PriceBook,
  nowMs: number,
): EffectivePrice<Origin> {
  for (const [from, owner] of owners) {
    const line = book.lineAt(model.id, owner, nowMs)
    if (line !== undefined && line.rule !== null) return { rule: line.rule, from, line }
  }
  return { rule: model.price, from: 'catalogue', line: undefined }
}
