import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

const knownMax = 10_000

/**
 * Caches the brand numbers of accounts. The numbers never change, so a full cache keeps its
 * entries.
 */
export class AccountBrands {
  readonly #query: Kysely<Tables>
  readonly #known = new Map<number, number>()

  constructor(query: Kysely<Tables>) {
    this.#query = query
  }

  /** Returns undefined when there is no such account. */
  async brandNoOf(accountNo: number): Promise<number | undefined> {
    const known = this.#known.get(accountNo)
    if (known !== undefined) return known
    const row = await this.#query.selectFrom('accounts').select('brand_no').where('no', '=', accountNo).executeTakeFirst()
    if (row !== undefined && this.#known.size < knownMax) this.#known.set(accountNo, row.brand_no)
    return row?.brand_no
  }
}
