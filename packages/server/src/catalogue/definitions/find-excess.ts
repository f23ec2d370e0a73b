import { documentCharactersMax, schemaDepthMax } from './definition-limits.ts'

/** Schemas alternate with the maps and lists that hold them. */
const depthMax = 3 * schemaDepthMax

/**
 * The limit that a parsed document exceeds, as the end of a sentence, or null. The walk ends at the
 * limit, even if YAML aliases make a value contain itself.
 */
export function findExcess(document: unknown): string | null {
  let characters = 0
  const waiting: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    if (depth > depthMax) return `is nested more than ${depthMax} levels deep, or contains itself`
    characters += typeof value === 'string' ? value.length + 2 : 4
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        characters += name.length
        waiting.push({ value: item, depth: depth + 1 })
      }
    }
    if (characters > documentCharactersMax) return `is larger than ${documentCharactersMax} characters, the limit for a model`
  }
  return null
}
