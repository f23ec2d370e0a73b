import { listIn, objectIn } from '../upstream/read-json.ts'

/** The addresses in an output: models return one, a list, or an object of them. */
export function addressesIn(output: unknown): string[] {
  if (typeof output === 'string') return /^(https?|data):/.test(output) ? [output] : []
  const inside = Array.isArray(output) ? listIn(output) : Object.values(objectIn(output))
  return inside.flatMap(addressesIn)
}
