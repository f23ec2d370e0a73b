import { AppError } from '../lib/app-error.ts'
import type { Scope } from './scopes.ts'

/** Who is asking: a key, the account that it belongs to, and what the key may do. */
export interface Principal {
  readonly keyNo: number
  readonly accountNo: number
  readonly brandNo: number
  readonly accountStatus: 'active' | 'suspended'
  readonly scopes: ReadonlySet<Scope>
  /** Model IDs that the key may invoke; null: those of its account. */
  readonly models: ReadonlySet<string> | null
  readonly requestsPerSecondMax: number | null
  readonly expiresAtMs: number | null
  /** Shared by all secrets of the key. */
  readonly use: KeyUse
}

/** When a key was last used, what of that is stored, and how many requests its limit still allows. */
export interface KeyUse {
  atMs: number
  storedMs: number
  /** In the bucket of `takeRequest`, when it was last filled. */
  requests: number
  filledMs: number
}

/** Passes when the key has the scope and its account is active; says which of the two is missing otherwise. */
export function requirePermission(principal: Principal, scope: Scope | null): void {
  if (scope !== null && !principal.scopes.has(scope)) {
    throw new AppError('key_scope_missing', `This API key lacks the scope ${scope}; use a key that has it.`)
  }
  if (principal.accountStatus === 'suspended') {
    throw new AppError('account_suspended', 'This account is suspended; ask the operator of this service.')
  }
}
