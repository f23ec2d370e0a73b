import { configFileTokensMax, configFileValuesMax, exceedsConfigFileTokens } from '@framegate/contract'
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml'

export interface SourcePosition {
  line: number
  column: number
}

/** A violation in a file and its position. */
export interface Violation extends SourcePosition {
  /** Path of the field, such as `accounts[0].keys[1].scopes`. Empty for the whole file. */
  field: string
  /** Error message without its subject, which is the field, such as "must be a list". */
  message: string
}

/** A value in the file as plain data, with the positions of the value and its parts. */
export interface Located {
  value: unknown
  position: SourcePosition
  /** Path from the root of the file. */
  field: string
  /** Fields of a map by name. The position of a field is the position of its name. */
  fields: ReadonlyMap<string, Located>
  /** Items of a list. */
  items: readonly Located[]
}

/**
 * Returns the value at whose position a violation of a field is reported: the field, or the item
 * if the field is missing.
 */
export function fieldOrItem(item: Located, field: string): Located {
  return item.fields.get(field) ?? item
}

export function violationAt({ position, field }: Located, message: string): Violation {
  return { ...position, field, message }
}

/** Parses YAML. If the text is invalid or exceeds the limits of `framegate.yaml`, `root` is undefined. */
export function parseLocated(text: string): { root: Located | undefined; violations: Violation[] } {
  if (exceedsConfigFileTokens(text)) return rejectFile(`has more than ${configFileTokensMax} lines, entries and brackets.`)
  const counter = new LineCounter()
  // The parser's own check for unique keys takes quadratic time.
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: false })
  const positionAt = (offset: number): SourcePosition => {
    const { line, col } = counter.linePos(offset)
    return { line, column: col }
  }
  const violations = document.errors.map(({ message, pos }) => ({
    ...positionAt(pos[0]),
    field: '',
    // The parser quotes the invalid text, which may be a secret from the service's settings.
    message: `is not YAML: ${message.split(/["'`]/, 1)[0]?.trimEnd().replace(/:$/, '')}.`,
  }))
  if (violations.length > 0) return { root: undefined, violations }
  const targets = findAliasTargets(document, ({ range }, message) =>
    violations.push({ ...positionAt(range?.[0] ?? 0), field: '', message: `is not YAML: ${message}` }),
  )
  if (violations.length > 0) return { root: undefined, violations }
  try {
    return {
      root: locate(document.contents, positionAt(0), '', { targets, positionAt, depth: 0, count: { values: 0 } }),
      violations,
    }
  } catch (error) {
    if (error instanceof TooManyValues) return rejectFile(error.message)
    throw error
  }
}

function rejectFile(message: string): { root: undefined; violations: Violation[] } {
  return { root: undefined, violations: [{ line: 1, column: 1, field: '', message }] }
}

/** Error for a file with too many levels, or too many values after its aliases are expanded. */
class TooManyValues extends Error {
  override readonly name = 'TooManyValues'
}

/**
 * Returns the node to which each alias refers. The parser's own method searches the whole document
 * for each alias. Reports aliases without an anchor and invalid keys to `onInvalid`.
 */
function findAliasTargets(document: Document.Parsed, onInvalid: (node: Node, message: string) => void): Map<Alias, Node> {
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (target === undefined) onInvalid(node, 'An alias must follow the anchor that it names.')
        else targets.set(node, target)
        return
      }
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      if (isMap<Node, Node | null>(node)) reportInvalidKeys(node, onInvalid)
    },
  })
  return targets
}

function reportInvalidKeys(map: YAMLMap<Node, Node | null>, onInvalid: (node: Node, message: string) => void): void {
  const names = new Set<string>()
  for (const { key } of map.items) {
    if (isCollection(key)) {
      onInvalid(key, 'A map key must be a scalar.')
      continue
    }
    if (names.has(nameOf(key))) onInvalid(key, 'Map keys must be unique.')
    names.add(nameOf(key))
  }
}

function nameOf(key: Node): string {
  return String(isScalar(key) ? key.value : key)
}

interface LocateContext {
  targets: ReadonlyMap<Alias, Node>
  positionAt: (offset: number) => SourcePosition
  depth: number
  /** Number of values so far, after aliases are expanded. */
  count: { values: number }
}

/** Maximum depth of nesting. It is needed because an alias may refer to a node that contains it. */
const depthMax = 20

function locate(sourceNode: Node | null, defaultPosition: SourcePosition, field: string, context: LocateContext): Located {
  if (context.depth > depthMax) throw new TooManyValues(`has more than ${depthMax} levels.`)
  if (++context.count.values > configFileValuesMax) {
    throw new TooManyValues(`has more than ${configFileValuesMax} values after its aliases are expanded.`)
  }
  const node = isAlias(sourceNode) ? (context.targets.get(sourceNode) ?? null) : sourceNode
  const offset = sourceNode?.range?.[0]
  const position = offset === undefined ? defaultPosition : context.positionAt(offset)
  const innerContext = { ...context, depth: context.depth + 1 }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) => locate(item, position, `${field}[${index}]`, innerContext))
    return { value: items.map(({ value }) => value), position, field, fields: new Map(), items }
  }
  if (isMap<Node, Node | null>(node)) {
    const fields = new Map<string, Located>()
    for (const { key, value } of node.items) {
      const name = nameOf(key)
      const keyPosition = key.range ? context.positionAt(key.range[0]) : position
      const located = locate(value, keyPosition, field === '' ? name : `${field}.${name}`, innerContext)
      fields.set(name, { ...located, position: keyPosition })
    }
    const value = Object.fromEntries([...fields].map(([name, located]) => [name, located.value]))
    return { value, position, field, fields, items: [] }
  }
  return { value: isScalar(node) ? node.value : null, position, field, fields: new Map(), items: [] }
}
