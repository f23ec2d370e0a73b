import { configFileBytesMax, configFileTokensMax, configFileValuesMax, exceedsConfigFileTokens } from '@framegate/contract'
import { isAlias, isScalar, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { readQuickYaml } from './quick-yaml.ts'
import { readBoundedFile, UnreadableFile } from './read-bounded-file.ts'
import type { FileValue } from './substitute-environment.ts'

const tooDeepReason = 'nested too deep'

export interface Yaml<Value = FileValue> {
  /** By default, all scalars are strings, so that a numeric API key keeps its leading zeros. */
  values: Value
  /**
   * Returns the line of the entry at a path, or of the innermost existing entry that contains it.
   */
  lineOf: (path: readonly (string | number)[]) => number
}

/**
 * Reads a configuration file. If it is too large or not a regular file, adds an error to
 * `violations` and returns undefined. Throws file system errors.
 */
export function readSmallFile(path: string, label: string, violations: string[]): string | undefined {
  try {
    return readBoundedFile(path, configFileBytesMax)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    violations.push(`${label}: ${error.message}${error.isTooLarge ? ', the limit for a configuration file' : ''}.`)
    return undefined
  }
}

/**
 * Parses YAML. If the text is not YAML or exceeds the limits, adds errors to `violations` and
 * returns undefined.
 */
export function readYaml(text: string, label: string, violations: string[]): Yaml | undefined {
  return parseAs('failsafe', text, label, violations) as Yaml | undefined
}

/** Like `readYaml`, but scalars have the types of YAML 1.2: `3.5` is a number. */
export function readTypedYaml(text: string, label: string, violations: string[]): Yaml<unknown> | undefined {
  if (!isWithinTokenLimit(text, label, violations)) return undefined
  const values = readQuickYaml(text)
  if (values === undefined) return parseAs('core', text, label, violations)
  return { values, lineOf: lineFinder(text) }
}

/**
 * Returns a function that finds lines in a text that was parsed without positions. It parses the
 * text again. Lines are rarely needed, and a parsed document takes many times the memory of its
 * text, so only the last document is cached. Errors in the same file usually follow each other.
 */
export function lineFinder(text: string): Yaml['lineOf'] {
  return (path) => {
    if (lastDocument?.text !== text) lastDocument = { text, lineOf: parseAs('core', text, '', [])?.lineOf ?? (() => 1) }
    return lastDocument.lineOf(path)
  }
}

let lastDocument: { text: string; lineOf: Yaml['lineOf'] } | undefined

function isWithinTokenLimit(text: string, label: string, violations: string[]): boolean {
  if (!exceedsConfigFileTokens(text)) return true
  violations.push(
    `${label}: has more than ${configFileTokensMax} lines, entries and brackets, the limit for a configuration file.`,
  )
  return false
}

function parseAs(schema: 'failsafe' | 'core', text: string, label: string, violations: string[]): Yaml<unknown> | undefined {
  if (!isWithinTokenLimit(text, label, violations)) return undefined
  const lineCounter = new LineCounter()
  try {
    // The parser's own check for unique keys compares each key with all previous ones, which takes
    // minutes for thousands of keys.
    const document = parseDocument(text, { schema, prettyErrors: false, uniqueKeys: false, lineCounter })
    const errors = [
      ...document.errors.map(({ message, pos }) => ({ message, offset: pos[0] })),
      ...findRepeatedKeys(document),
      ...findInvalidAliases(document),
    ]
    for (const { message, offset } of errors) violations.push(describeError(message, label, lineCounter.linePos(offset)))
    if (errors.length > 0) return undefined
    // Aliases need no separate limit, because the number of values is limited below.
    const values: unknown = document.toJS({ maxAliasCount: -1 })
    const lineOf = (path: readonly (string | number)[]): number => lineCounter.linePos(offsetOf(document, path)).line
    if (countValues(values) <= configFileValuesMax) return { values, lineOf }
    violations.push(`${label}: has more than ${configFileValuesMax} values after its aliases are expanded.`)
  } catch (error) {
    violations.push(
      `${label}: ${error instanceof RangeError ? `is ${tooDeepReason}` : `is not YAML: ${withoutQuotation((error as Error).message)}`}.`,
    )
  }
  return undefined
}

function findRepeatedKeys(document: Document): { message: string; offset: number }[] {
  const problems: { message: string; offset: number }[] = []
  visit(document, {
    Map(_, map) {
      const seenKeys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (seenKeys.has(key.value)) problems.push({ message: 'Map keys must be unique', offset: key.range?.[0] ?? 0 })
        seenKeys.add(key.value)
      }
    },
  })
  return problems
}

/**
 * Finds aliases without an anchor, and aliases that are part of their own value. The parser's own
 * method searches the whole document for each alias.
 */
function findInvalidAliases(document: Document): { message: string; offset: number }[] {
  const problems: { message: string; offset: number }[] = []
  const anchors = new Map<string, Node>()
  visit(document, {
    Node(_, node, ancestors) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node)
        return
      }
      const target = anchors.get(node.source)
      const offset = node.range?.[0] ?? 0
      if (target === undefined) problems.push({ message: 'an alias has no anchor before it', offset })
      else if (ancestors.includes(target))
        problems.push({ message: 'an alias refers to a value that contains the alias', offset })
    },
  })
  return problems
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined
    if (node?.range !== undefined) return node.range[0]
  }
  return 0
}

/** Counts values up to the limit, because a few aliases can expand to a huge number of values. */
function countValues(value: unknown): number {
  let count = 0
  const unvisited = [value]
  for (let next = unvisited.pop(); next !== undefined && count <= configFileValuesMax; next = unvisited.pop()) {
    count += 1
    if (next !== null && typeof next === 'object') for (const item of Object.values(next)) unvisited.push(item as unknown)
  }
  return count
}

function describeError(message: string, label: string, { line, col }: { line: number; col: number }): string {
  const reason = /call stack/.test(message) ? tooDeepReason : withoutQuotation(message)
  return `${label}, line ${line}, column ${col}: is not YAML: ${reason}.`
}

/**
 * Removes quotations of the file from a message of the parser, because the file may contain
 * secrets. The parser quotes in quotation marks or after a colon.
 */
function withoutQuotation(message: string): string {
  return (message.split(/["'`]|(?<=\S): /, 1)[0] ?? '').trimEnd().replace(/:$/, '')
}
