import type { Principal } from '../auth/principal.ts'
import type { Brands } from '../brands/brands.ts'
import type { RequestOwner } from '../tasks/client-shares.ts'

/**
 * Whether a key belongs to the installation's first brand, which is the operator's own. The scope
 * `admin` of such a key applies to all brands.
 */
export function belongsToFirstBrand({ brandNo }: Principal, brands: Pick<Brands, 'all'>): boolean {
  return brandNo === brands.all()[0]?.no
}

export function isOperator(principal: Principal, brands: Pick<Brands, 'all'>): boolean {
  return principal.scopes.has('admin') && belongsToFirstBrand(principal, brands)
}

/**
 * Returns the owner of a long poll or a stream. Each account and each key may use only a share of
 * the available long polls and streams.
 */
export function requestOwnerOf(principal: Principal, brands: Pick<Brands, 'all'>): RequestOwner {
  const { accountNo, keyNo } = principal
  return { accountNo, keyNo, isOperator: isOperator(principal, brands) }
}
