import type { Option } from 'commander'
import { distance } from 'fastest-levenshtein'

/** A misspelt option differs from the one that is meant in this part of its letters at most. */
const differenceMax = 0.4
/** Two letters that changed places are two edits, however short the name. */
const editsAlways = 2
const lettersMin = 4
const suggestedMax = 3

/** The options that may be meant by an unknown flag: the one with the nearest spelling, else those that share most words with it. */
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
