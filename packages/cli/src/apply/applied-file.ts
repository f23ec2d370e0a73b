import type { AccountChangeBody, BrandChangeBody, BrandModelBody, GrantBody, KeyBody } from '@framegate/contract'
import type { Located } from './located.ts'

/**
 * Contents of the file of `framegate apply`. A list that the file omits is null, and the command
 * leaves objects of that type unchanged. A brand is a storefront with its own name and hosts.
 */
export interface AppliedFile {
  brands: DeclaredBrand[] | null
  accounts: DeclaredAccount[] | null
  /** Prices for all accounts. */
  prices: DeclaredPrice[] | null
}

interface InFile {
  at: Located
}

export interface DeclaredBrand extends InFile, Omit<BrandChangeBody, 'move_hosts'> {
  id?: string
  name: string
  default?: boolean
  /** Digest of the logo file, for comparison with the digest that the API returns. */
  logo?: string | null
  /** The logo file itself as a data URI. */
  logoFile?: string
  models?: DeclaredModel[] | null
  prices?: DeclaredPrice[] | null
}

export interface DeclaredModel extends InFile, BrandModelBody {}

export interface DeclaredAccount extends InFile, AccountChangeBody {
  id?: string
  name: string
  /** Name or id of the account's brand. Default: the default brand. */
  brand?: string
  grants?: DeclaredGrant[] | null
  keys?: DeclaredKey[] | null
  prices?: DeclaredPrice[] | null
}

export interface DeclaredGrant extends InFile, GrantBody {
  reference: string
}

export interface DeclaredKey extends InFile, KeyBody {
  name: string
}

export interface DeclaredPrice extends InFile {
  model: string
  price: object | null
  /** Default: now. */
  effective_at?: number
}
