import type { Principal } from '../auth/principal.ts'
import type { Brands } from '../brands/brands.ts'
import type { QueryOwner } from '../tasks/held-request-limits.ts'

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

/** Returns the owner of a long poll. The query counts toward the owner's share of long polls. */
export function queryOwnerOf(principal: Principal, brands: Pick<Brands, 'all'>): QueryOwner {
  const { accountNo, keyNo } = principal
  return { accountNo, keyNo, isOperator: isOperator(principal, brands) }
}
