import { canonicalHostName } from '@framegate/contract'
import { WrongBrand } from './wrong-brand.ts'

/**
 * Converts a host name that an operator entered to the form that clients send. Throws `WrongBrand`.
 */
export function readHostName(text: string): string {
  const name = canonicalHostName(text)
  if (name !== null) return name
  throw new WrongBrand(
    `A host must be a name such as studio.example.com, without scheme, port and path; got ${JSON.stringify(text)}.`,
  )
}
