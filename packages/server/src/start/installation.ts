import { randomBytes } from 'node:crypto'
import { firstBrandId, productName } from '../brands/brand.ts'
import type { Store } from '../db/store.ts'

/** One million credits, so that a new user can submit tasks right away. */
const firstGrantMicroCredits = 1_000_000 * 1_000_000

/**
 * The initial state of every installation: one brand, one account with credits, and a key for
 * signing URLs.
 */
export interface Installation {
  accountNo: number
  urlSigningKey: Buffer
}

/**
 * Creates the missing parts of the initial state. Each step is idempotent, so the next start
 * completes a start that was interrupted.
 */
export async function ensureInstallation(store: Store, nowMs: number): Promise<Installation> {
  const { database } = store
  await database
    .insertInto('brands')
    .values({ id: firstBrandId, name: productName, is_default: 1, created_at: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const brand = await database.selectFrom('brands').select('no').where('id', '=', firstBrandId).executeTakeFirstOrThrow()
  await database
    .insertInto('accounts')
    .values({ id: 'acct_default', brand_no: brand.no, name: 'Default', status: 'active', created_at: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const account = await database.selectFrom('accounts').select('no').where('id', '=', 'acct_default').executeTakeFirstOrThrow()
  const firstEntry = await database
    .selectFrom('entries')
    .select('no')
    .where('account_no', '=', account.no)
    .limit(1)
    .executeTakeFirst()
  // The reference prevents several processes that start simultaneously from granting the credits
  // twice.
  if (firstEntry === undefined) await store.grant(account.no, firstGrantMicroCredits, 'first start', { reference: 'first start' })
  return { accountNo: account.no, urlSigningKey: await ensureUrlSigningKey(store) }
}

async function ensureUrlSigningKey({ database }: Store): Promise<Buffer> {
  await database
    .insertInto('settings')
    .values({ name: 'url_signing_key', value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const setting = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'url_signing_key')
    .executeTakeFirstOrThrow()
  return Buffer.from(setting.value, 'base64')
}
