import { readFileSync, statSync } from 'node:fs'
import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml'
import type { FileValue } from './substitute-environment.ts'

/** Reading a file at these limits takes about a second, at a start and after a change. */
const fileBytesMax = 1024 * 1024
/** Characters at which a value may begin or end. */
const partsMax = 50_000
const partPattern = /[\n,[\]{}&*!|>]|[-?:] /
/**
 * Number of values after aliases are expanded: a few lines of aliases can stand for any number of
 * values.
 */
const valuesMax = 100_000

const tooDeep = 'nested too deep'

export interface Yaml {
  /** Every scalar is text: a key of digits keeps its zeros. */
  values: FileValue
  document: Document
  lineCounter: LineCounter
}

/**
 * The text of a configuration file. Undefined, with an error added to `violations`, when it is too
 * large. Throws file system errors.
 */
export function readSmallFile(path: string, label: string, violations: string[]): string | undefined {
  if (statSync(path).size <= fileBytesMax) return readFileSync(path, 'utf8')
  violations.push(`${label}: is larger than ${fileBytesMax} bytes, the limit for a configuration file.`)
  return undefined
}

/**
 * Reads YAML. Undefined, with errors added to `violations`, when the text is not YAML or exceeds the
 * limits.
 */
export function readYaml(text: string, label: string, violations: string[]): Yaml | undefined {
  if (text.split(partPattern, partsMax + 2).length > partsMax + 1) {
    violations.push(`${label}: has more than ${partsMax} lines, entries and brackets, the limit for a configuration file.`)
    return undefined
  }
  const lineCounter = new LineCounter()
  try {
    // The parser's own check compares each key of a map with all previous ones, which takes minutes
    // for thousands of keys.
    const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, uniqueKeys: false, lineCounter })
    const errors = [...document.errors.map(({ message, pos }) => ({ message, offset: pos[0] })), ...findRepeatedKeys(document)]
    for (const { message, offset } of errors) violations.push(describeError(message, label, lineCounter.linePos(offset)))
    if (errors.length > 0) return undefined
    const values = document.toJS() as FileValue
    if (countValues(values) <= valuesMax) return { values, document, lineCounter }
    violations.push(`${label}: has more than ${valuesMax} values after its aliases are expanded.`)
  } catch (error) {
    violations.push(`${label}: ${error instanceof RangeError ? `is ${tooDeep}` : (error as Error).message}.`)
  }
  return undefined
}

function findRepeatedKeys(document: Document): { message: string; offset: number }[] {
  const found: { message: string; offset: number }[] = []
  visit(document, {
    Map(_, map) {
      const known = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (known.has(key.value)) found.push({ message: 'Map keys must be unique', offset: key.range?.[0] ?? 0 })
        known.add(key.value)
      }
    },
  })
  return found
}

/** Stops above the limit, because an alias may refer to a value that contains it. */
function countValues(value: FileValue): number {
  let count = 0
  const waiting: FileValue[] = [value]
  for (let next = waiting.pop(); next !== undefined && count <= valuesMax; next = waiting.pop()) {
    count += 1
    if (next !== null && typeof next === 'object') for (const item of Object.values(next)) waiting.push(item)
  }
  return count
}

// The parser quotes the text around an error, which may be a secret. Only its own words are passed
// on.
function describeError(message: string, label: string, { line, col }: { line: number; col: number }): string {
  const words = /call stack/.test(message) ? tooDeep : message.split(/["'`]/, 1)[0]?.trimEnd().replace(/:$/, '')
  return `${label}, line ${line}, column ${col}: is not YAML: ${words}.`
}
