import type { Principal } from '../auth/principal.ts'
import type { Brands } from '../brands/brands.ts'

/** Keys of the first brand, which the installation made, belong to the operator: what the scope admin opens is of all brands. */
export function isOfFirstBrand({ brandNo }: Principal, brands: Pick<Brands, 'all'>): boolean {
  return brandNo === brands.all()[0]?.no
}

export function isOperator(principal: Principal, brands: Pick<Brands, 'all'>): boolean {
  return principal.scopes.has('admin') && isOfFirstBrand(principal, brands)
}
