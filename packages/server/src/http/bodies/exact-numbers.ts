/**
 * A number of a JSON text that a JavaScript number would change, such as an integer above 2^53. It
 * is plain data, because it is passed between threads.
 */
export interface ExactNumber {
  path: readonly (string | number)[]
  /** The number as in the JSON text. */
  text: string
}

/**
 * Matches a number with many digits or an exponent. A text without a match contains no number that
 * JavaScript would change. A match may be in a string.
 */
const suspectNumberPattern = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE])/
/** JavaScript keeps the value of a decimal number with at most this many significant digits. */
const exactDigitsMax = 15

/** Placeholder in the parsed value for a number that JavaScript would change. */
class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

const keepText: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && source !== undefined && isChanged(value, source) ? new NumberText(source) : value

/** Finds the numbers of a valid JSON text that JavaScript would change. */
export function findExactNumbers(json: string): ExactNumber[] {
  if (!suspectNumberPattern.test(json)) return []
  return collect(JSON.parse(json, keepText as (name: string, value: unknown) => unknown), [])
}

/**
 * Puts the exact numbers into the parsed value, as objects that `JSON.stringify` writes unchanged.
 * They are not numbers: code that reads the value rejects them like any value of a wrong type.
 */
export function restoreNumbers(value: unknown, exactNumbers: readonly ExactNumber[]): void {
  for (const { path, text } of exactNumbers) {
    let parent = value as Record<string | number, unknown>
    for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>
    const name = path.at(-1)
    if (name !== undefined) parent[name] = rawJson(text)
  }
}

/** `JSON.rawJSON`, which the types of TypeScript do not contain yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text)
}

function isChanged(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true
  const [significand = ''] = source.split(/e/i)
  return significand.replaceAll(/\D/g, '').replace(/^0+/, '').length > exactDigitsMax && String(value) !== source
}

/** Recursion is safe here, because the depth of these bodies is limited (`deepJsonLimits`). */
function collect(value: unknown, path: readonly (string | number)[]): ExactNumber[] {
  if (value instanceof NumberText) return [{ path, text: value.text }]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? value.flatMap((item: unknown, index) => collect(item, [...path, index]))
    : Object.entries(value).flatMap(([name, item]) => collect(item, [...path, name]))
}
