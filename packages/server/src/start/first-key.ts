import type { ApiKeys } from '../auth/api-keys.ts'
import { scopes } from '../auth/scopes.ts'
import type { Config } from '../config/config.ts'
import type { Store } from '../db/store.ts'

/** The configured key, or one made at the first start. */
export async function ensureFirstKey(keys: ApiKeys, store: Store, accountNo: number, config: Config): Promise<string | null> {
  if (config.bootstrapKey !== null) {
    await keys.ensureBootstrapKey(accountNo, config.bootstrapKey.reveal())
    return null
  }
  const existing = await store.query.selectFrom('api_keys').select('no').limit(1).executeTakeFirst()
  if (existing !== undefined) return null
  const issued = await keys.issueKey({ accountNo, name: 'first start', scopes, expiresAtMs: null })
  return issued.key
}
