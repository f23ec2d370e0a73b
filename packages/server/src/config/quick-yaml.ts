import { CORE_SCHEMA, load } from 'js-yaml'

/**
 * Parses YAML 1.2 without positions, in about a tenth of the time of the parser with positions.
 * Returns undefined if the text is invalid, has aliases, or has an unusual tag or key. The caller
 * then uses the parser with positions, which also reports errors.
 */
export function readQuickYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxAliases: 0 })
  } catch {
    return undefined
  }
}
