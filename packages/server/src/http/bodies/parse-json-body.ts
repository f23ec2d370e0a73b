import { isUtf8 } from 'node:buffer'
import { findJsonExcess, type JsonExcess, type JsonLimits } from '../../lib/json-shape.ts'
import { findBrokenText, type BrokenText } from './broken-text.ts'
import { findExactNumbers, type ExactNumber } from './exact-numbers.ts'

export interface BodyLimits extends JsonLimits {
  /** Whether to find numbers that JavaScript would change, so that the body can be forwarded unchanged. */
  keepsNumbers?: true
}

/**
 * The value of a body, or the reason why the body is rejected: an error message, or the position of
 * text that cannot be stored.
 */
export type ParsedJson =
  | { value: unknown; exactNumbers?: readonly ExactNumber[] }
  | { error: string }
  | { brokenText: BrokenText }

/**
 * Parses JSON in UTF-8. Rejects other bodies, bodies that would take too long to parse, and bodies
 * with text that cannot be stored.
 */
export function parseJsonBody(bytes: Buffer, limits: BodyLimits): ParsedJson {
  if (!isUtf8(bytes)) return { error: 'The body is not valid UTF-8.' }
  const excess = findJsonExcess(bytes, limits)
  if (excess !== null) return { error: excessMessages[excess](limits) }
  const text = bytes.toString('utf8')
  try {
    const value = JSON.parse(text) as unknown
    const brokenText = findBrokenText(text, value)
    if (brokenText !== null) return { brokenText }
    const exactNumbers = limits.keepsNumbers === true ? findExactNumbers(text) : []
    return exactNumbers.length === 0 ? { value } : { value, exactNumbers }
  } catch {
    // V8's message is not used, because it quotes the body.
    return { error: 'The body is not valid JSON.' }
  }
}

const excessMessages: Record<JsonExcess, (limits: JsonLimits) => string> = {
  depth: ({ depthMax }) => `The body has more than ${depthMax} levels.`,
  items: ({ itemsMax }) => `The body has more than ${itemsMax} names and values.`,
  'bytes outside strings': ({ bytesOutsideStringsMax }) =>
    `The body has more than ${bytesOutsideStringsMax} bytes of numbers, punctuation and white space.`,
}
