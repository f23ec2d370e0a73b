import type { AccountChangeBody, BrandChangeBody, BrandModelBody, GrantBody, KeyBody } from '@framegate/contract'
import type { Located } from './located.ts'

/** What the file declares. A list that is null is not there: nothing of its kind is looked at. */
export interface AppliedFile {
  brands: DeclaredBrand[] | null
  accounts: DeclaredAccount[] | null
  /** For all. */
  prices: DeclaredPrice[] | null
}

interface InFile {
  at: Located
}

export interface DeclaredBrand extends InFile, BrandChangeBody {
  id?: string
  name: string
  default?: boolean
  /** As the installation shows it: the digest of the file. */
  logo?: string | null
  /** The file itself, as a data URI. */
  logoFile?: string
  models?: DeclaredModel[] | null
  prices?: DeclaredPrice[] | null
}

export interface DeclaredModel extends InFile, BrandModelBody {}

export interface DeclaredAccount extends InFile, AccountChangeBody {
  id?: string
  name: string
  /** Its name or id; the default brand unless given. */
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
  /** Left out: it is to hold now. */
  effective_at?: number
}
