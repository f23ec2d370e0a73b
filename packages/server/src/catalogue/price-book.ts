import type { ModelDefinition, PriceRule } from './model.ts'

/** The owner of a price: one account, one brand, or everyone when both fields are null. */
export interface PriceOwner {
  brandNo: number | null
  accountNo: number | null
}

/** A price that replaces the catalogue's price from `effectiveAtMs` on. */
export interface PriceLine extends PriceOwner {
  no: number
  model: string
  /**
   * Null ends the owner's price at `effectiveAtMs`. From then on the price of a broader owner
   * applies.
   */
  rule: PriceRule | null
  effectiveAtMs: number
  createdAtMs: number
}

/** The payer of a task. */
export interface Payer {
  brandNo: number
  accountNo: number
}

export interface Price {
  rule: PriceRule
  /** Number of the price line. Null for the catalogue's price. */
  no: number | null
}

export interface PriceBook {
  /**
   * Returns the most specific price: of the account, of its brand, for everyone, or of the
   * catalogue. Returns null if the model has none of these prices.
   */
  priceOf(model: Pick<ModelDefinition, 'id' | 'price'>, payer: Payer, nowMs: number): Price | null
  /**
   * Returns the rule of a price line, for tasks that were priced by it. Also returns rules that no
   * longer apply.
   */
  ruleOf(lineNo: number): PriceRule | undefined
  /**
   * Returns the price line that applies to exactly this owner at a time, and ignores the lines of
   * broader owners. If the rule of the line is null, the owner has no price.
   */
  lineAt(modelId: string, owner: PriceOwner, atMs: number): PriceLine | undefined
  /** All price lines, in the order in which they were written. */
  readonly lines: readonly PriceLine[]
}

export function createPriceBook(lines: readonly PriceLine[]): PriceBook {
  const ruleByLineNo = new Map<number, PriceRule>()
  const linesByKey = new Map<string, PriceLine[]>()
  // Of two lines with the same `effectiveAtMs`, the line with the higher number applies.
  for (const line of lines.toSorted((a, b) => b.effectiveAtMs - a.effectiveAtMs || b.no - a.no)) {
    if (line.rule !== null) ruleByLineNo.set(line.no, line.rule)
    const key = keyOf(line.model, line)
    linesByKey.set(key, [...(linesByKey.get(key) ?? []), line])
  }

  function lineAt(modelId: string, owner: PriceOwner, atMs: number): PriceLine | undefined {
    return linesByKey.get(keyOf(modelId, owner))?.find(({ effectiveAtMs }) => effectiveAtMs <= atMs)
  }

  function currentPrice(modelId: string, owner: PriceOwner, nowMs: number): Price | null {
    const line = lineAt(modelId, owner, nowMs)
    return line === undefined || line.rule === null ? null : { rule: line.rule, no: line.no }
  }

  return {
    priceOf(model, { brandNo, accountNo }, nowMs) {
      const cataloguePrice = model.price === null ? null : { rule: model.price, no: null }
      if (linesByKey.size === 0) return cataloguePrice
      return (
        currentPrice(model.id, { brandNo: null, accountNo }, nowMs) ??
        currentPrice(model.id, { brandNo, accountNo: null }, nowMs) ??
        currentPrice(model.id, everyone, nowMs) ??
        cataloguePrice
      )
    },
    ruleOf: (lineNo) => ruleByLineNo.get(lineNo),
    lineAt,
    lines,
  }
}

const everyone: PriceOwner = { brandNo: null, accountNo: null }

function keyOf(modelId: string, { brandNo, accountNo }: PriceOwner): string {
  if (accountNo !== null) return `account ${accountNo} ${modelId}`
  return brandNo === null ? `all ${modelId}` : `brand ${brandNo} ${modelId}`
}
