import { createHash } from 'node:crypto'
import type { ImportedModel } from './imported-model.ts'

const words = new Set(['title', 'description', 'examples'])

/** SHA-256 of all that decides what a model accepts and sends; words are left out. */
export function digestOf({
  object,
  parameters,
  required,
  routes,
}: Pick<ImportedModel, 'object' | 'parameters' | 'required' | 'routes'>): string {
  const text = JSON.stringify({ object, parameters, required, routes }, (key, value: unknown) => {
    if (words.has(key)) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
