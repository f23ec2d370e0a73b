import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { createApiKeyText, digestOfApiKey } from './api-key.ts'
import type { Principal } from './principal.ts'
import { readBearer } from './read-bearer.ts'
import { isScope, scopes as everyScope, type Scope } from './scopes.ts'

/**
 * All API keys, in memory: a request is authenticated without asking the database.
 *
 * Whoever changes keys or accounts by other means calls `reload`.
 */
export interface ApiKeys {
  /** Who asks, or the 401. Never throws. */
  authenticate(authorization: string | undefined): Principal | AppError
  /** Makes a key. Its text is in the answer and nowhere else. */
  issueKey(request: KeyRequest): Promise<IssuedKey>
  /** Makes the configured key, with every scope, the only bootstrap key of the account. */
  ensureBootstrapKey(accountNo: number, key: string): Promise<void>
  revokeKey(keyId: string): Promise<boolean>
  reload(): Promise<void>
}

export interface KeyRequest {
  accountNo: number
  name: string
  scopes: readonly Scope[]
  expiresAtMs: number | null
}

export interface IssuedKey {
  id: string
  key: string
}

/** Genuine Authorization headers whose key is known without hashing it again. Cleared when full and on every change. */
const knownHeadersMax = 10_000
const bootstrapKeyName = 'bootstrap'

export async function createApiKeys(query: Kysely<Tables>, clock: Clock): Promise<ApiKeys> {
  let byDigest = await loadPrincipals(query)
  const byHeader = new Map<string, Principal>()

  async function reload(): Promise<void> {
    byDigest = await loadPrincipals(query)
    byHeader.clear()
  }

  function find(authorization: string | undefined): Principal | AppError {
    const key = readBearer(authorization)
    if (key instanceof AppError) return key
    const principal = byDigest.get(digestOfApiKey(key))
    if (principal === undefined) return new AppError('invalid_api_key', 'This API key is not valid.')
    if (byHeader.size >= knownHeadersMax) byHeader.clear()
    if (authorization !== undefined) byHeader.set(authorization, principal)
    return principal
  }

  async function insert(key: string, { accountNo, name, scopes, expiresAtMs }: KeyRequest): Promise<string> {
    const id = `key_${randomUUID().replaceAll('-', '')}`
    await query
      .insertInto('api_keys')
      .values({
        id,
        account_no: accountNo,
        name,
        digest: digestOfApiKey(key),
        scopes: JSON.stringify(scopes),
        created_at: clock(),
        expires_at: expiresAtMs,
        revoked_at: null,
      })
      .execute()
    await reload()
    return id
  }

  return {
    authenticate(authorization) {
      const known = authorization === undefined ? undefined : byHeader.get(authorization)
      const principal = known ?? find(authorization)
      if (principal instanceof AppError) return principal
      if (principal.expiresAtMs !== null && principal.expiresAtMs <= clock()) {
        return new AppError('invalid_api_key', 'This API key has expired.')
      }
      return principal
    },

    async issueKey(request) {
      const key = createApiKeyText()
      return { id: await insert(key, request), key }
    },

    async ensureBootstrapKey(accountNo, key) {
      const digest = digestOfApiKey(key)
      await query
        .updateTable('api_keys')
        .set({ revoked_at: clock() })
        .where('account_no', '=', accountNo)
        .where('name', '=', bootstrapKeyName)
        .where('digest', '!=', digest)
        .where('revoked_at', 'is', null)
        .execute()
      const existing = await query.selectFrom('api_keys').select(['account_no']).where('digest', '=', digest).executeTakeFirst()
      if (existing === undefined) {
        await insert(key, { accountNo, name: bootstrapKeyName, scopes: everyScope, expiresAtMs: null })
        return
      }
      if (existing.account_no !== accountNo) throw new Error('the configured bootstrap key belongs to another account')
      // Whoever starts the service decides: a key that was replaced and is configured again works again.
      await query
        .updateTable('api_keys')
        .set({ name: bootstrapKeyName, scopes: JSON.stringify(everyScope), expires_at: null, revoked_at: null })
        .where('digest', '=', digest)
        .execute()
      await reload()
    },

    async revokeKey(keyId) {
      const changed = await query
        .updateTable('api_keys')
        .set({ revoked_at: clock() })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      await reload()
      return changed.numUpdatedRows > 0n
    },

    reload,
  }
}

/** Every key that is not revoked, of accounts that are not closed, by digest. */
async function loadPrincipals(query: Kysely<Tables>): Promise<Map<string, Principal>> {
  const rows = await query
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
    .select(['api_keys.digest', 'api_keys.scopes', 'api_keys.expires_at', 'accounts.no as account_no', 'accounts.status'])
    .where('api_keys.revoked_at', 'is', null)
    .where('accounts.status', '!=', 'closed')
    .execute()
  const principals = new Map<string, Principal>()
  for (const row of rows) {
    principals.set(row.digest, {
      accountNo: row.account_no,
      accountStatus: row.status === 'suspended' ? 'suspended' : 'active',
      scopes: new Set((JSON.parse(row.scopes) as unknown[]).filter(isScope)),
      expiresAtMs: row.expires_at,
    })
  }
  return principals
}
