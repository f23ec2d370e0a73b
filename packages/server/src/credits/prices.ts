import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { PriceRule } from '../catalogue/model.ts'
import { createPriceBook, type PriceBook, type PriceLine, type PriceOwner } from '../catalogue/price-book.ts'
import { InvalidPrice } from '../catalogue/price-amounts.ts'
import { readPriceRule } from '../catalogue/read-price-rule.ts'
import { noExtraStatements, type ExtraStatements, type Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { SerialQueue } from '../lib/serial-queue.ts'

/**
 * The prices that operators have set, in memory. Each is a price line: a row of `prices`, which
 * sets the price of a model for an owner from a given time on. A change by another process takes
 * effect within a second.
 */
export interface Prices extends PriceBook, Disposable {
  /**
   * Sets a price from a given time on. Does nothing if the same price already applies at that time.
   * Throws `InvalidPrice`.
   */
  setPrice(request: PriceRequest, extraStatements?: ExtraStatements): Promise<PriceSetting>
  /** Dry run of `setPrice`: returns the same result without setting the price. */
  trySetPrice(request: PriceRequest): Promise<PriceSetting>
}

export interface PriceRequest extends Partial<PriceOwner> {
  model: string
  /**
   * A price in the format of `readPriceRule`. Null: ends the price of this owner. The price of the
   * next broader owner, such as the brand, then applies.
   */
  price: unknown
  /** Unix milliseconds. A time in the past has the effect of the default, which is now. */
  effectiveAtMs?: number | undefined
}

export interface PriceSetting {
  isChanged: boolean
  /** The price line of the owner at that time, before and after the change. */
  before: PriceLine | undefined
  after: PriceLine | undefined
}

/** A price line that has not been written yet. */
type PricePlan = Omit<PriceLine, 'no'>

export async function createPrices(
  store: Pick<Store, 'database' | 'writeAtomically' | 'onConfigChanged'>,
  catalogue: Catalogue,
  clock: Clock,
): Promise<Prices> {
  const { database } = store
  let priceBook = createPriceBook(await readLines())

  const reloadQueue = new SerialQueue()
  const reload = (): Promise<void> =>
    reloadQueue.run(async () => {
      priceBook = createPriceBook(await readLines())
    })

  async function readLines(): Promise<PriceLine[]> {
    const rows = await database.selectFrom('prices').selectAll().orderBy('no').execute()
    return rows.map((row) => ({
      no: row.no,
      model: row.model,
      brandNo: row.brand_no,
      accountNo: row.account_no,
      // Not validated again, because only this module writes rules, and written lines never change.
      rule: row.rule === null ? null : (JSON.parse(row.rule) as PriceRule),
      effectiveAtMs: row.effective_at,
      createdAtMs: row.created_at,
    }))
  }

  function planPrice({ model, brandNo = null, accountNo = null, price, effectiveAtMs }: PriceRequest): PricePlan {
    const createdAtMs = clock()
    return {
      model,
      brandNo,
      accountNo,
      rule: price === null ? null : readRule(model, price),
      // A time in the past is replaced by the current time. Otherwise a price that begins between
      // that time and now would override this one. The current time is rounded down to a whole
      // second, so a second price within the same second replaces the first one.
      effectiveAtMs: Math.max(effectiveAtMs ?? 0, Math.floor(createdAtMs / 1000) * 1000),
      createdAtMs,
    }
  }

  function readRule(modelId: string, price: unknown): PriceRule {
    const model = catalogue.find(modelId)
    if (model === undefined) throw new InvalidPrice('is for a model that does not exist')
    return readPriceRule(model, price)
  }

  /**
   * Returns the statement that inserts a price line. It inserts nothing if another price of the
   * model was set after this process last read the prices. The caller then reads the prices again
   * before it retries.
   */
  function insertPriceStatement({ model, brandNo, accountNo, rule, effectiveAtMs, createdAtMs }: PricePlan): Statement {
    const newerLines = database
      .selectFrom('prices')
      .select('no')
      .where('model', '=', model)
      .where('no', '>', priceBook.lines.at(-1)?.no ?? 0)
    const newLine = database
      .selectNoFrom((builder) => [
        builder.val(model).as('model'),
        builder.val(brandNo).as('brand_no'),
        builder.val(accountNo).as('account_no'),
        builder.val(rule && JSON.stringify(rule)).as('rule'),
        builder.val(effectiveAtMs).as('effective_at'),
        builder.val(createdAtMs).as('created_at'),
      ])
      .where((builder) => builder.not(builder.exists(newerLines)))
    return database
      .insertInto('prices')
      .columns(['model', 'brand_no', 'account_no', 'rule', 'effective_at', 'created_at'])
      .expression(newLine)
      .compile()
  }

  const stopListening = store.onConfigChanged(reload)

  return {
    priceOf: (model, owner, nowMs) => priceBook.priceOf(model, owner, nowMs),
    ruleOf: (lineNo) => priceBook.ruleOf(lineNo),
    lineAt: (modelId, owner, atMs) => priceBook.lineAt(modelId, owner, atMs),
    get lines() {
      return priceBook.lines
    },

    async setPrice(request, extraStatements = noExtraStatements) {
      const plan = planPrice(request)
      for (;;) {
        await reload()
        const previousLine = priceBook.lineAt(plan.model, plan, plan.effectiveAtMs)
        if (isSameRule(previousLine, plan)) return { isChanged: false, before: previousLine, after: previousLine }
        // The statement inserts nothing only if another request has just set a price of the model,
        // so few retries are needed.
        const isWritten = await store.writeAtomically(insertPriceStatement(plan), ...extraStatements(plan.model))
        if (!isWritten) continue
        await reload()
        return { isChanged: true, before: previousLine, after: priceBook.lineAt(plan.model, plan, plan.effectiveAtMs) }
      }
    },

    async trySetPrice(request) {
      const plan = planPrice(request)
      await reload()
      const before = priceBook.lineAt(plan.model, plan, plan.effectiveAtMs)
      const isChanged = !isSameRule(before, plan)
      return { isChanged, before, after: isChanged ? { ...plan, no: 0 } : before }
    },

    [Symbol.dispose]: stopListening,
  }
}

function isSameRule(line: PriceLine | undefined, { rule }: PricePlan): boolean {
  return isDeepStrictEqual(line?.rule ?? null, rule)
}
