import { canonicalHostName } from '@framegate/contract'
import { WrongBrand } from './wrong-brand.ts'

/** The host name that a person typed, in the form that clients send. */
export function readHostName(text: string): string {
  const name = canonicalHostName(text)
  if (name !== null) return name
  throw new WrongBrand(
    `A host must be a name such as studio.example.com, without scheme, port and path; got ${JSON.stringify(text)}.`,
  )
}
