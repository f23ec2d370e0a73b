import { distance } from 'fastest-levenshtein'

/** Minimum length of a prefix that matches a whole name. */
const startCharactersMin = 4
/**
 * Maximum length of a text to compare. A longer one is not a misspelled name, and comparing it
 * would take time.
 */
const writtenCharactersMax = 200

/**
 * Returns the known name that was probably meant. Ignores case, spaces, underscores, dashes and
 * dots. Otherwise, at most `editsMax` letters may differ, and fewer than half of the letters of a
 * short name. A prefix of a known name matches that name.
 */
export function nearestName(input: string, candidates: readonly string[], editsMax: number): string | undefined {
  if (input.length > writtenCharactersMax) return undefined
  const normalizedInput = normalize(input)
  let best: string | undefined
  let bestEdits = Infinity
  for (const name of candidates) {
    const normalizedName = normalize(name)
    const isStart = normalizedInput.length >= startCharactersMin && normalizedName.startsWith(normalizedInput)
    // Among names with the same distance after normalization, the one with the most similar
    // original spelling is preferred.
    const edits = (isStart ? 0 : distance(normalizedInput, normalizedName)) + distance(input, name) / 1_000
    const allowedEdits = Math.min(editsMax, Math.ceil(normalizedName.length / 2) - 1)
    if (Math.floor(edits) <= allowedEdits && edits < bestEdits) {
      best = name
      bestEdits = edits
    }
  }
  return best
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[\s_.-]/g, '')
}
