import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { KeyActivities } from './key-activities.ts'
import type { Principal, RateLimits } from './principal.ts'
import { isScope, type Scope } from './scopes.ts'

/** Maximum number of rows per query. Other work runs between two queries. */
const rowsPerQuery = 5_000

/**
 * Reads the principals of all keys, by the digests of their secrets. Skips revoked keys and keys of
 * closed accounts. With `digests`, reads only the keys with these digests.
 */
export async function loadPrincipals(
  database: Kysely<Tables>,
  activities: Pick<KeyActivities, 'of'>,
  digests: readonly string[] | null = null,
): Promise<Map<string, Principal>> {
  const principals = new Map<string, Principal>()
  // Most keys have the same scopes. A set that they share stays in the CPU caches.
  const scopeSets = new Map<string, ReadonlySet<Scope>>()
  for (let afterNo = 0; ;) {
    const rows = await database
      .selectFrom('api_key_secrets as secret')
      .innerJoin('api_keys as key', 'key.no', 'secret.key_no')
      .innerJoin('accounts as account', 'account.no', 'key.account_no')
      .select(['secret.no', 'secret.key_no', 'secret.digest', 'secret.expires_at as secret_expires_at'])
      .select(['key.scopes', 'key.models', 'key.expires_at', 'key.requests_per_second_max', 'key.last_used_at'])
      .select(['key.requests_per_minute_max as key_requests', 'key.tokens_per_minute_max as key_tokens'])
      .select(['account.no as account_no', 'account.brand_no', 'account.status'])
      .select(['account.requests_per_minute_max as account_requests', 'account.tokens_per_minute_max as account_tokens'])
      .$if(digests !== null, (filtered) => filtered.where('secret.digest', 'in', digests ?? []))
      .where('secret.no', '>', afterNo)
      .where('key.revoked_at', 'is', null)
      .where('account.status', '!=', 'closed')
      .orderBy('secret.no')
      .limit(rowsPerQuery)
      .execute()
    for (const row of rows) {
      principals.set(row.digest, {
        keyNo: row.key_no,
        accountNo: row.account_no,
        brandNo: row.brand_no,
        accountStatus: row.status === 'suspended' ? 'suspended' : 'active',
        scopes: scopesOf(row.scopes, scopeSets),
        models: row.models === null ? null : new Set(JSON.parse(row.models) as string[]),
        requestsPerSecondMax: row.requests_per_second_max,
        keyRates: ratesOf(row.key_requests, row.key_tokens),
        accountRates: ratesOf(row.account_requests, row.account_tokens),
        expiresAtMs: earlierOf(row.expires_at, row.secret_expires_at),
        activity: activities.of(row.key_no, row.last_used_at),
      })
    }
    const lastRow = rows.at(-1)
    if (lastRow === undefined || rows.length < rowsPerQuery) return principals
    afterNo = lastRow.no
    await setImmediate()
  }
}

const unlimitedRates: RateLimits = { requestsPerMinuteMax: null, tokensPerMinuteMax: null }

/** Returns the same object for all keys without limits, because most keys have none. */
function ratesOf(requestsPerMinuteMax: number | null, tokensPerMinuteMax: number | null): RateLimits {
  return requestsPerMinuteMax === null && tokensPerMinuteMax === null
    ? unlimitedRates
    : { requestsPerMinuteMax, tokensPerMinuteMax }
}

function scopesOf(text: string, cachedScopes: Map<string, ReadonlySet<Scope>>): ReadonlySet<Scope> {
  const scopes = cachedScopes.get(text) ?? new Set((JSON.parse(text) as unknown[]).filter(isScope))
  cachedScopes.set(text, scopes)
  return scopes
}

function earlierOf(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second
  return Math.min(first, second)
}
