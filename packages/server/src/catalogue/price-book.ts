import type { ModelDefinition, PriceRule } from './model.ts'

/** Owner of a price: one account, or one brand, or everyone when both are null. */
export interface PriceOwner {
  brandNo: number | null
  accountNo: number | null
}

/** A price that replaces the catalogue's from a given time. */
export interface PriceLine extends PriceOwner {
  no: number
  model: string
  /** Null ends this owner's price from then on, so that the price it replaced applies again. */
  rule: PriceRule | null
  effectiveAtMs: number
  createdAtMs: number
}

/** The payer of a task. */
export interface PricedFor {
  brandNo: number
  accountNo: number
}

export interface Price {
  rule: PriceRule
  /** Number of the price line; null for the catalogue's price. */
  no: number | null
}

export interface PriceBook {
  /**
   * The account's own price, else its brand's, else the price for everyone, else the catalogue's.
   * Null if the model has none of them.
   */
  priceOf(model: Pick<ModelDefinition, 'id' | 'price'>, who: PricedFor, nowMs: number): Price | null
  /** The rule of a line, for tasks that were priced by it, whether or not it still applies. */
  ruleOf(lineNo: number): PriceRule | undefined
  /**
   * The owner's own line at a time, regardless of broader ones. A line without a rule means that
   * the owner has no price.
   */
  lineAt(modelId: string, owner: PriceOwner, atMs: number): PriceLine | undefined
  /** In the order in which they were written. */
  readonly lines: readonly PriceLine[]
}

export function createPriceBook(lines: readonly PriceLine[]): PriceBook {
  const byNo = new Map<number, PriceRule>()
  const byOwner = new Map<string, PriceLine[]>()
  // Of two lines with the same start, the later written one applies.
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
      const ofCatalogue = model.price === null ? null : { rule: model.price, no: null }
      if (byOwner.size === 0) return ofCatalogue
      return (
        current(model.id, { brandNo: null, accountNo }, nowMs) ??
        current(model.id, { brandNo, accountNo: null }, nowMs) ??
        current(model.id, ofAll, nowMs) ??
        ofCatalogue
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
