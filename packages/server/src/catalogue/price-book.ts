import type { ModelDefinition, PriceRule } from './model.ts'

/** A price that replaces the catalogue's, from a moment on. */
export interface PriceLine {
  no: number
  model: string
  /** Of one account, or of one brand, or with neither of all. */
  brandNo: number | null
  accountNo: number | null
  /** Null: from then on the line says nothing, and what it replaced holds again. */
  rule: PriceRule | null
  effectiveAtMs: number
}

/** Whom a price is for. */
export interface PricedFor {
  brandNo: number
  accountNo: number
}

export interface Price {
  rule: PriceRule
  /** The line that says so; null: the catalogue. */
  no: number | null
}

export interface PriceBook {
  /** The account's own price, else its brand's, else the one for all, else the catalogue's. */
  priceOf(model: Pick<ModelDefinition, 'id' | 'price'>, who: PricedFor, nowMs: number): Price
  /** By which a task was priced once, whatever holds now. */
  ruleOf(lineNo: number): PriceRule | undefined
}

export function createPriceBook(lines: readonly PriceLine[]): PriceBook {
  const byNo = new Map<number, PriceRule>()
  const byOwner = new Map<string, PriceLine[]>()
  // Of two that begin in the same moment, the one that was written later holds.
  for (const line of lines.toSorted((a, b) => b.effectiveAtMs - a.effectiveAtMs || b.no - a.no)) {
    if (line.rule !== null) byNo.set(line.no, line.rule)
    const owner = ownerOf(line)
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), line])
  }

  function current(owner: string, nowMs: number): Price | null {
    const line = byOwner.get(owner)?.find(({ effectiveAtMs }) => effectiveAtMs <= nowMs)
    return line === undefined || line.rule === null ? null : { rule: line.rule, no: line.no }
  }

  return {
    priceOf(model, { brandNo, accountNo }, nowMs) {
      if (byOwner.size === 0) return { rule: model.price, no: null }
      return (
        current(`account ${accountNo} ${model.id}`, nowMs) ??
        current(`brand ${brandNo} ${model.id}`, nowMs) ??
        current(`all ${model.id}`, nowMs) ?? { rule: model.price, no: null }
      )
    },
    ruleOf: (lineNo) => byNo.get(lineNo),
  }
}

function ownerOf({ model, brandNo, accountNo }: PriceLine): string {
  if (accountNo !== null) return `account ${accountNo} ${model}`
  return brandNo === null ? `all ${model}` : `brand ${brandNo} ${model}`
}
