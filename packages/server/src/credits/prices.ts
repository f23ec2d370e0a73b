import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PriceRule } from '../catalogue/model.ts'
import { createPriceBook, type PriceBook, type PriceLine } from '../catalogue/price-book.ts'
import { readPriceRule, WrongPrice } from '../catalogue/read-price-rule.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { inOrder } from '../lib/in-order.ts'

/** The prices of this installation, in memory. What another process changes is known within a second. */
export interface Prices extends PriceBook, Disposable {
  /** From a moment on; throws `WrongPrice`. Answers with the line's number. */
  setPrice(request: PriceRequest): Promise<number>
}

export interface PriceRequest {
  model: string
  brandNo?: number | null
  accountNo?: number | null
  /** As `readPriceRule` takes it; null: what holds without it is to hold again. */
  price: unknown
  /** Now, unless given. */
  effectiveAtMs?: number
}

export async function createPrices(
  store: Pick<Store, 'query' | 'onRulesChanged'>,
  catalogue: Catalogue,
  clock: Clock,
): Promise<Prices> {
  let book = createPriceBook(await readLines())

  const { run: reload } = inOrder(async () => {
    book = createPriceBook(await readLines())
  })

  async function readLines(): Promise<PriceLine[]> {
    const rows = await store.query.selectFrom('prices').selectAll().execute()
    return rows.map((row) => ({
      no: row.no,
      model: row.model,
      brandNo: row.brand_no,
      accountNo: row.account_no,
      // Only this file writes rules, and no line ever changes.
      rule: row.rule === null ? null : (JSON.parse(row.rule) as PriceRule),
      effectiveAtMs: row.effective_at,
    }))
  }

  const stopListening = store.onRulesChanged(reload)

  return {
    priceOf: (model, who, nowMs) => book.priceOf(model, who, nowMs),
    ruleOf: (lineNo) => book.ruleOf(lineNo),

    async setPrice({ model: modelId, brandNo = null, accountNo = null, price, effectiveAtMs }) {
      const model = catalogue.find(modelId)
      if (model === undefined) throw new WrongPrice('is for a model that does not exist')
      const nowMs = clock()
      const line = await store.query
        .insertInto('prices')
        .values({
          model: model.id,
          brand_no: brandNo,
          account_no: accountNo,
          rule: price === null ? null : JSON.stringify(readPriceRule(model, price)),
          effective_at: effectiveAtMs ?? nowMs,
          created_at: nowMs,
        })
        .returning('no')
        .executeTakeFirstOrThrow()
      await reload()
      return line.no
    },

    [Symbol.dispose]: stopListening,
  }
}
