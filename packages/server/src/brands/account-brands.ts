import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

const cachedAccountsMax = 10_000

/**
 * Caches the brand numbers of accounts. An account never changes its brand, so entries are never
 * removed.
 */
export class AccountBrands {
  readonly database: Kysely<Tables>
  readonly #cached = new Map<number, number>()

  constructor(database: Kysely<Tables>) {
    this.database = database
  }

  /** Returns undefined if there is no such account. */
  async brandNoOf(accountNo: number): Promise<number | undefined> {
    const cachedBrandNo = this.#cached.get(accountNo)
    if (cachedBrandNo !== undefined) return cachedBrandNo
    const row = await this.database.selectFrom('accounts').select('brand_no').where('no', '=', accountNo).executeTakeFirst()
    if (row !== undefined && this.#cached.size < cachedAccountsMax) this.#cached.set(accountNo, row.brand_no)
    return row?.brand_no
  }
}
