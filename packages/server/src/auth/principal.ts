import { AppError } from '../lib/app-error.ts'
import type { RequestBucket } from './request-bucket.ts'
import type { Scope } from './scopes.ts'

/** The identity and permissions of a caller: an API key and its account. */
export interface Principal {
  readonly keyNo: number
  readonly accountNo: number
  readonly brandNo: number
  readonly accountStatus: 'active' | 'suspended'
  readonly scopes: ReadonlySet<Scope>
  /** Model IDs that the key may invoke. Null: all models of its account. */
  readonly models: ReadonlySet<string> | null
  readonly requestsPerSecondMax: number | null
  /** Limits of the key on forwarded requests. The limits of its account apply too. */
  readonly keyRates: RateLimits
  readonly accountRates: RateLimits
  readonly expiresAtMs: number | null
  /** Shared by all secrets of the key. */
  readonly activity: KeyActivity
}

/** Limits per minute. Null means no limit. */
export interface RateLimits {
  requestsPerMinuteMax: number | null
  tokensPerMinuteMax: number | null
}

/** The uses of a key in this process. */
export interface KeyActivity {
  /** Time of the last use; 0 if the key was never used. */
  usedAtMs: number
  /** The last use that the database has. */
  storedUsedAtMs: number
  /** State of the key's rate limit. */
  readonly bucket: RequestBucket
}

/**
 * Throws if the key lacks the scope or its account is suspended. The error names the failed
 * condition.
 */
export function requirePermission(principal: Principal, scope: Scope | null): void {
  if (scope !== null && !principal.scopes.has(scope)) {
    throw new AppError('key_scope_missing', `This API key lacks the scope ${scope}; use a key that has it.`)
  }
  if (principal.accountStatus === 'suspended') {
    throw new AppError('account_suspended', 'This account is suspended; ask the operator of this service.')
  }
}
