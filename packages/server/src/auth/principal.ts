import { AppError } from '../lib/app-error.ts'
import type { Scope } from './scopes.ts'

/** Who is asking: the account that a key belongs to, and what the key may do. */
export interface Principal {
  readonly accountNo: number
  readonly accountStatus: 'active' | 'suspended'
  readonly scopes: ReadonlySet<Scope>
  readonly expiresAtMs: number | null
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
