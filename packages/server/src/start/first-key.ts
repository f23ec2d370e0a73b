import type { ApiKeys } from '../auth/api-keys.ts'
import { scopes } from '../auth/scopes.ts'
import type { Config } from '../config/config.ts'
import type { Store } from '../db/store.ts'

export async function ensureBootstrapKey(
  keys: ApiKeys,
  accountNo: number,
  { bootstrapKey }: Pick<Config, 'bootstrapKey'>,
): Promise<void> {
  if (bootstrapKey !== null) await keys.ensureBootstrapKey(accountNo, bootstrapKey.reveal())
}

/**
 * Issues an API key at the first start. The caller shows it once. Returns null if there is already
 * a key.
 */
export async function issueFirstKey(keys: ApiKeys, store: Store, accountNo: number): Promise<string | null> {
  const existingKey = await store.database.selectFrom('api_keys').select('no').limit(1).executeTakeFirst()
  if (existingKey !== undefined) return null
  const issuedKey = await keys.issueKey({ accountNo, name: 'first start', scopes, expiresAtMs: null })
  return issuedKey.key
}
