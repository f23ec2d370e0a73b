import type { Principal } from '../auth/principal.ts'
import type { Brands } from '../brands/brands.ts'
import type { RequestOwner } from '../tasks/client-shares.ts'

/**
 * Whether a key belongs to the first brand of the installation. The keys of this brand belong to
 * the operator, and their scope `admin` applies to all brands.
 */
export function belongsToFirstBrand({ brandNo }: Principal, brands: Pick<Brands, 'all'>): boolean {
  return brandNo === brands.all()[0]?.no
}

export function isOperator(principal: Principal, brands: Pick<Brands, 'all'>): boolean {
  return principal.scopes.has('admin') && belongsToFirstBrand(principal, brands)
}

/** Returns the account and the key to whose shares a long poll or a stream counts. */
export function requestOwnerOf(principal: Principal, brands: Pick<Brands, 'all'>): RequestOwner {
  const { accountNo, keyNo } = principal
  return { accountNo, keyNo, isOperator: isOperator(principal, brands) }
}
