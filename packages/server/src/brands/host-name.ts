import { canonicalHostName } from '@framegate/contract'
import { InvalidBrand } from './invalid-brand.ts'

/**
 * Converts a host name that an operator entered to the form that clients send. Throws
 * `InvalidBrand` if it is not a host name.
 */
export function readHostName(text: string): string {
  const name = canonicalHostName(text)
  if (name !== null) return name
  throw new InvalidBrand(
    `A host must be a name such as studio.example.com, without scheme, port and path; got ${JSON.stringify(text)}.`,
  )
}
