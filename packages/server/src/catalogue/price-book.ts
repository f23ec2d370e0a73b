import type { ModelDefinition, PriceRule } from './model.ts'

/** Whose price it is: of one account, or of one brand, or with neither of all. */
export interface PriceOwner {
  brandNo: number | null
  accountNo: number | null
}

/** A price that replaces the catalogue's, from a moment on. */
export interface PriceLine extends PriceOwner {
  no: number
  model: string
  /** Null: from then on the line says nothing, and what it replaced holds again. */
  rule: PriceRule | null
  effectiveAtMs: number
  createdAtMs: number
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
  /** What holds for this owner at a moment, whatever is broader. One without a rule says that nothing does. */
  lineAt(modelId: string, owner: PriceOwner, atMs: number): PriceLine | undefined
  /** In the order in which they were written. */
  readonly lines: readonly PriceLine[]
}

export function createPriceBook(lines: readonly PriceLine[]): PriceBook {
  const byNo = new Map<number, PriceRule>()
  const byOwner = new Map<string, PriceLine[]>()
  // Of two that begin in the same moment, the one that was written later holds.
  for (const line of lines.toSorted((a, b) => b.effectiveAtMs - a.effectiveAtMs || b.no - a.no)) {
    if (line.rule !== null) byNo.set(line.no, line.rule)
    const name = nameOf(line.model, line)
    byOwner.set(name, [...(byOwner.get(name) ?? []), line])
  }

  function lineAt(modelId: string, owner: PriceOwner, atMs: number): PriceLine | undefined {
    return byOwner.get(nameOf(modelId, owner))?.find(({ effectiveAtMs }) => effectiveAtMs <= atMs)
  }

  function current(modelId: string, owner: PriceOwner, nowMs: number): Price | null {
    const line = lineAt(modelId, owner, nowMs)
    return line === undefined || line.rule === null ? null : { rule: line.rule, no: line.no }
  }

  return {
    priceOf(model, { brandNo, accountNo }, nowMs) {
      if (byOwner.size === 0) return { rule: model.price, no: null }
      return (
        current(model.id, { brandNo: null, accountNo }, nowMs) ??
        current(model.id, { brandNo, accountNo: null }, nowMs) ??
        current(model.id, ofAll, nowMs) ?? { rule: model.price, no: null }
      )
    },
    ruleOf: (lineNo) => byNo.get(lineNo),
    lineAt,
    lines,
  }
}

const ofAll: PriceOwner = { brandNo: null, accountNo: null }

function nameOf(modelId: string, { brandNo, accountNo }: PriceOwner): string {
  if (accountNo !== null) return `account ${accountNo} ${modelId}`
  return brandNo === null ? `all ${modelId}` : `brand ${brandNo} ${modelId}`
}
