import { AppError } from '../lib/app-error.ts'
import { pointerTo, shortened } from '../lib/json-pointer.ts'

/** An escape of U+0000 or of a surrogate. A body without one has no broken text; one with it may have pairs of surrogates only. */
const mayBreakText = /\\u(?:0000|d[89a-f])/i

/** Whether a text contains U+0000 or an unpaired surrogate. Neither is stored unchanged by every database. */
export function isBrokenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Where a JSON body contains broken text. Plain data: a thread returns it. */
export interface BrokenText {
  path: (string | number)[]
  /** Whether the broken text is the name of a field at that path, and not a value. */
  isName: boolean
}

/** The first broken text of a JSON body, in a value or in a name; null if there is none. */
export function findBrokenText(json: string, body: unknown): BrokenText | null {
  return mayBreakText.test(json) ? findBroken(body, []) : null
}

/** The refusal of a body that contains broken text. Names are shortened: one may be as long as a body. */
export function refusalOfBrokenText({ path, isName }: BrokenText): AppError {
  const place = placeOf(path)
  const where = isName ? `A name of a field${place === '' ? '' : ` in ${place}`}` : place === '' ? 'The body' : place
  const message = `${where} ${brokenTextWords}`
  const [field] = path
  const violation = { pointer: pointerTo(...path), code: 'invalid_parameter' as const, message }
  return new AppError('invalid_parameter', message, {
    ...(typeof field === 'string' && { param: field, errors: [violation] }),
  })
}

/** Follows the name of what contains the text. */
export const brokenTextWords = 'must not contain the character U+0000 or an unpaired surrogate.'

/** As in JavaScript: `simulate.outcome`, `hosts[0]`. */
function placeOf(path: BrokenText['path']): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shortened(step)}`))
  return steps.join('').replace(/^\./, '')
}

/** Bodies are a few levels deep (`jsonLimits`). */
function findBroken(value: unknown, path: (string | number)[]): BrokenText | null {
  if (typeof value === 'string') return isBrokenText(value) ? { path, isName: false } : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, item] of Object.entries(value)) {
    if (isBrokenText(name)) return { path, isName: true }
    const found = findBroken(item, [...path, Array.isArray(value) ? Number(name) : name])
    if (found !== null) return found
  }
  return null
}
