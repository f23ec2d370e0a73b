import type { Option } from 'commander'
import { distance } from 'fastest-levenshtein'

/** Largest edit distance of a misspelt option, as a share of its letters. */
const differenceMax = 0.4
/**
 * Edits that a name of enough letters always allows, because two transposed letters are two edits.
 */
const editsAlways = 2
const lettersMin = 4
const suggestedMax = 3

/**
 * Suggestions for an unknown flag: the option with the nearest spelling, otherwise those that share
 * the most words with it.
 */
export function nearestOptions(flag: string, known: readonly Option[]): Option[] {
  const name = nameOf(flag)
  const named = known.filter(({ long }) => long)
  const spelt = named.map((option) => ({ option, score: distance(name, nameOf(option.long ?? '')) }))
  const near = spelt.filter(({ option, score }) => score <= editsMax(Math.max(name.length, nameOf(option.long ?? '').length)))
  if (near.length > 0) return withScore(near, Math.min(...near.map(({ score }) => score)))
  const words = new Set(name.split('-'))
  const sharing = named.map((option) => ({ option, score: wordsShared(words, nameOf(option.long ?? '')) }))
  const most = Math.max(0, ...sharing.map(({ score }) => score))
  return most === 0 ? [] : withScore(sharing, most)
}

function editsMax(letters: number): number {
  return Math.max(letters < lettersMin ? 0 : editsAlways, differenceMax * letters)
}

function withScore(scored: readonly { option: Option; score: number }[], wanted: number): Option[] {
  return scored.flatMap(({ option, score }) => (score === wanted ? [option] : [])).slice(0, suggestedMax)
}

function wordsShared(words: ReadonlySet<string>, name: string): number {
  return name.split('-').filter((word) => words.has(word)).length
}

function nameOf(flag: string): string {
  return flag.replace(/^-+/, '')
}
