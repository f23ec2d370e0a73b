import { documentCharactersMax, schemaDepthMax } from './definition-limits.ts'

/**
 * Maximum nesting depth of a document. It is larger than `schemaDepthMax`, because there are maps
 * and lists between a schema and the schemas within it.
 */
const depthMax = 3 * schemaDepthMax

/**
 * Returns the limit that a parsed document exceeds, as the end of a sentence, or null if it exceeds
 * none. The limits also end the traversal of a cyclic document, which YAML aliases can create.
 */
export function findExcess(document: unknown): string | null {
  let characters = 0
  const unvisited: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }]
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    const { value, depth } = next
    if (depth > depthMax) return `is nested more than ${depthMax} levels deep, or contains itself`
    characters += typeof value === 'string' ? value.length + 2 : 4
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        characters += name.length
        unvisited.push({ value: item, depth: depth + 1 })
      }
    }
    if (characters > documentCharactersMax) return `is larger than ${documentCharactersMax} characters, the limit for a model`
  }
  return null
}
