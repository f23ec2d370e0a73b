import { distance } from 'fastest-levenshtein'

/** Minimum length of a prefix that matches a longer name. */
const prefixCharactersMin = 4
/**
 * Maximum length of a text to compare. A longer one is not a misspelled name, and comparing it
 * would take time.
 */
const inputCharactersMax = 200

/**
 * Returns the known name that was probably meant. Ignores case, spaces, underscores, dashes and
 * dots. Apart from these, at most `editsMax` letters may differ, and fewer than half of the letters
 * of a short name. Two swapped letters count as one. A prefix of a known name matches that name.
 */
export function nearestName(input: string, candidates: readonly string[], editsMax: number): string | undefined {
  if (input.length > inputCharactersMax) return undefined
  const normalizedInput = normalize(input)
  let nearest: string | undefined
  let nearestEdits = Infinity
  for (const name of candidates) {
    const normalizedName = normalize(name)
    const isPrefix = normalizedInput.length >= prefixCharactersMin && normalizedName.startsWith(normalizedInput)
    // Among names with the same distance after normalization, the one with the most similar
    // original spelling is preferred.
    const edits = (isPrefix ? 0 : editsBetween(normalizedInput, normalizedName)) + distance(input, name) / 1_000
    const allowedEdits = Math.min(editsMax, Math.ceil(normalizedName.length / 2) - 1)
    if (Math.floor(edits) <= allowedEdits && edits < nearestEdits) {
      nearest = name
      nearestEdits = edits
    }
  }
  return nearest
}

function editsBetween(input: string, name: string): number {
  return isSwapped(input, name) ? 1 : distance(input, name)
}

/** Whether the texts differ only in the order of two adjacent letters. */
function isSwapped(input: string, name: string): boolean {
  let index = 0
  while (index < input.length && input[index] === name[index]) index += 1
  const swappedInput =
    input.slice(0, index) +
    input
      .slice(index, index + 2)
      .split('')
      .toReversed()
      .join('') +
    input.slice(index + 2)
  return input !== name && swappedInput === name
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[\s_.-]/g, '')
}
