import type { Principal } from '../auth/principal.ts'
import type { Brands } from '../brands/brands.ts'
import type { QueryOwner } from '../tasks/held-shares.ts'

/**
 * Whether a key belongs to the first brand, which the installation created. Keys of this brand are
 * the operator's: their scope `admin` applies to all brands.
 */
export function isOfFirstBrand({ brandNo }: Principal, brands: Pick<Brands, 'all'>): boolean {
  return brandNo === brands.all()[0]?.no
}

export function isOperator(principal: Principal, brands: Pick<Brands, 'all'>): boolean {
  return principal.scopes.has('admin') && isOfFirstBrand(principal, brands)
}

/** The owner of a held query, by whose share it is counted. */
export function queryOwnerOf(principal: Principal, brands: Pick<Brands, 'all'>): QueryOwner {
  const { accountNo, keyNo } = principal
  return { accountNo, keyNo, isOperator: isOperator(principal, brands) }
}
