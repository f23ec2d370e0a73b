import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { decryptIfPossible, type Encryption } from '../routing/encryption.ts'

/**
 * Maximum number of webhooks and of accounts whose secrets are checked, the oldest first, because a
 * lost key has encrypted the oldest secrets.
 */
const checkedMax = 1_000

export const undecryptableSecretsMessage =
  'Secrets of webhooks were encrypted with another key than the present one in seal.key, so their events cannot be sent. ' +
  'Restore seal.key from a backup, or rotate these secrets.'

/** Counts the webhooks and the accounts whose secrets were encrypted with another key. */
export async function countUndecryptable(
  database: Kysely<Tables>,
  encryption: Encryption,
): Promise<{ webhooks: number; accounts: number }> {
  const webhooks = await database
    .selectFrom('webhook_endpoints')
    .select('secret')
    .where('secret', 'is not', null)
    .orderBy('no')
    .limit(checkedMax)
    .execute()
  const accounts = await database.selectFrom('webhook_secrets').select('secret').orderBy('account_no').limit(checkedMax).execute()
  const count = (rows: readonly { secret: string | null }[]): number =>
    rows.filter(({ secret }) => secret !== null && decryptIfPossible(encryption, secret) === null).length
  return { webhooks: count(webhooks), accounts: count(accounts) }
}
