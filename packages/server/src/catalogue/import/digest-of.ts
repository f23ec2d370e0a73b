import { createHash } from 'node:crypto'
import type { ImportedModel } from './imported-model.ts'

const ignoredKeywords = new Set(['title', 'description', 'examples'])

/**
 * Returns the SHA-256 of the fields that determine the accepted requests and the sent fields of a
 * model. Titles, descriptions and examples do not affect the digest.
 */
export function digestOf({
  object,
  parameters,
  required,
  routes,
}: Pick<ImportedModel, 'object' | 'parameters' | 'required' | 'routes'>): string {
  const text = JSON.stringify({ object, parameters, required, routes }, (key, value: unknown) => {
    if (ignoredKeywords.has(key)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
  })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
