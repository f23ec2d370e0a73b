import { AppError } from '../../lib/app-error.ts'
import { pointerTo, shorten } from '../../lib/json-pointer.ts'

/**
 * Matches an escape sequence of U+0000 or of a surrogate. A body without a match contains no broken
 * text. A body with a match must be parsed and checked, because the surrogates may form valid
 * pairs.
 */
const suspectEscapePattern = /\\u(?:0000|d[89a-f])/i

/** Whether a text contains U+0000 or an unpaired surrogate, which not every database can store. */
export function isBrokenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/**
 * Position of broken text in a JSON body. It is plain data, because it is passed between threads.
 */
export interface BrokenText {
  path: (string | number)[]
  /**
   * False: the value at `path` is broken. True: the name of a field is broken, and `path` is the path
   * of the object with this field.
   */
  isName: boolean
}

/**
 * Finds the first broken text in the values or names of a JSON body. Returns null if there is none.
 */
export function findBrokenText(json: string, body: unknown): BrokenText | null {
  return suspectEscapePattern.test(json) ? findBroken(body, []) : null
}

/**
 * Creates the error for a body that contains broken text. Field names are shortened, because a name
 * may be as long as the body.
 */
export function brokenTextError({ path, isName }: BrokenText): AppError {
  const fieldName = formatPath(path)
  const subject = isName
    ? `A name of a field${fieldName === '' ? '' : ` in ${fieldName}`}`
    : fieldName === ''
      ? 'The body'
      : fieldName
  const message = `${subject} ${brokenTextMessage}`
  const [field] = path
  const violation = { pointer: pointerTo(...path), code: 'invalid_parameter' as const, message }
  return new AppError('invalid_parameter', message, {
    ...(typeof field === 'string' && { param: field, errors: [violation] }),
  })
}

/** Second part of an error message that begins with the name of the field. */
export const brokenTextMessage = 'must not contain the character U+0000 or an unpaired surrogate.'

/** Formats a path in JavaScript notation, such as `simulate.outcome` or `hosts[0]`. */
function formatPath(path: BrokenText['path']): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(step)}`))
  return steps.join('').replace(/^\./, '')
}

/** Recursion is safe here, because the depth of all bodies is limited (`http/limits.ts`). */
function findBroken(value: unknown, path: (string | number)[]): BrokenText | null {
  if (typeof value === 'string') return isBrokenText(value) ? { path, isName: false } : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, item] of Object.entries(value)) {
    if (isBrokenText(name)) return { path, isName: true }
    const brokenText = findBroken(item, [...path, Array.isArray(value) ? Number(name) : name])
    if (brokenText !== null) return brokenText
  }
  return null
}
