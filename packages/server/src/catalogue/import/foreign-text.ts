import { capitalize } from '../../lib/capitalized.ts'
import { descriptionCharactersMax, titleCharactersMax } from './import-limits.ts'

// Control characters, and the characters that reverse or hide text.
// oxlint-disable-next-line no-control-regex
const unprintablePattern = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g
const linkPattern = /\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)|https?:\/\/\S{1,500}/g

/**
 * Reduces an untrusted text to one line without control characters, links, and markup that a page
 * could render.
 */
export function plainText(value: unknown, charactersMax: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .slice(0, 4 * charactersMax)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(unprintablePattern, '')
    .replaceAll(linkPattern, (_whole, words: string | undefined) => words ?? '')
    .replaceAll(/[<>`]/g, '')
    .trim()
  if (text === '') return undefined
  const codePoints = Array.from(text)
  return codePoints.length <= charactersMax ? text : `${codePoints.slice(0, charactersMax - 1).join('')}…`
}

export function titleOf(value: unknown): string | undefined {
  return plainText(value, titleCharactersMax)
}

export function descriptionOf(value: unknown): string | undefined {
  return plainText(value, descriptionCharactersMax)
}

/** Converts a name such as `reference-to-video` to a title such as `Reference to video`. */
export function titleFromName(name: string): string {
  const words = name.replaceAll(/[-_/]+/g, ' ').trim()
  return capitalize(words)
}

/** Returns the first value that is an https URL of at most 2,048 characters. */
export function addressOf(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && /^https:\/\/[^\s"'<>\\]{1,2040}$/.test(value))
}
