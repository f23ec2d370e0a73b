import type { Option } from 'commander'
import { distance } from 'fastest-levenshtein'

/** Maximum edit distance of a misspelled option, as a fraction of its length. */
const editShareMax = 0.4
/**
 * Edit distance that is always accepted for names of at least `lettersMin` letters. Two transposed
 * letters count as two edits.
 */
const editsAlwaysAllowed = 2
const lettersMin = 4
const suggestionsMax = 3

/**
 * Suggests options for an unknown flag: those with the smallest edit distance, or else those with
 * the most words in common.
 */
export function nearestOptions(flag: string, options: readonly Option[]): Option[] {
  const name = nameOf(flag)
  const longOptions = options.filter(({ long }) => long)
  const byEditDistance = longOptions.map((option) => ({ option, score: distance(name, nameOf(option.long ?? '')) }))
  const similarlySpelled = byEditDistance.filter(
    ({ option, score }) => score <= editsMax(Math.max(name.length, nameOf(option.long ?? '').length)),
  )
  if (similarlySpelled.length > 0) return withScore(similarlySpelled, Math.min(...similarlySpelled.map(({ score }) => score)))
  const words = new Set(name.split('-'))
  const bySharedWords = longOptions.map((option) => ({ option, score: countSharedWords(words, nameOf(option.long ?? '')) }))
  const sharedWordsMax = Math.max(0, ...bySharedWords.map(({ score }) => score))
  return sharedWordsMax === 0 ? [] : withScore(bySharedWords, sharedWordsMax)
}

function editsMax(letters: number): number {
  return Math.max(letters < lettersMin ? 0 : editsAlwaysAllowed, editShareMax * letters)
}

function withScore(scored: readonly { option: Option; score: number }[], wantedScore: number): Option[] {
  return scored.flatMap(({ option, score }) => (score === wantedScore ? [option] : [])).slice(0, suggestionsMax)
}

function countSharedWords(words: ReadonlySet<string>, name: string): number {
  return name.split('-').filter((word) => words.has(word)).length
}

function nameOf(flag: string): string {
  return flag.replace(/^-+/, '')
}
