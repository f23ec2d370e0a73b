import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'

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
 * Returns the value to report for a field: the field itself, or the item if the field is missing.
 */
export function fieldOrItem(item: Located, field: string): Located {
  return item.fields.get(field) ?? item
}

export function violationAt({ position, field }: Located, message: string): Violation {
  return { ...position, field, message }
}

/** Parses YAML. If the text is invalid, `root` is undefined. */
export function parseLocated(text: string): { root: Located | undefined; violations: Violation[] } {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true })
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
  try {
    return { root: locate(document.contents, positionAt(0), '', { document, positionAt, depth: 0 }), violations }
  } catch (error) {
    return { root: undefined, violations: [{ line: 1, column: 1, field: '', message: (error as Error).message }] }
  }
}

interface LocateContext {
  document: Document.Parsed
  positionAt: (offset: number) => SourcePosition
  depth: number
}

/** Maximum depth of nesting. It is needed because an alias may refer to a node that contains it. */
const depthMax = 20

function locate(sourceNode: Node | null, defaultPosition: SourcePosition, field: string, context: LocateContext): Located {
  if (context.depth > depthMax) throw new Error(`has more than ${depthMax} levels`)
  const node = isAlias(sourceNode) ? (sourceNode.resolve(context.document) ?? null) : sourceNode
  const offset = sourceNode?.range?.[0]
  const position = offset === undefined ? defaultPosition : context.positionAt(offset)
  const innerContext = { ...context, depth: context.depth + 1 }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) => locate(item, position, `${field}[${index}]`, innerContext))
    return { value: items.map(({ value }) => value), position, field, fields: new Map(), items }
  }
  if (isMap<Node, Node | null>(node)) {
    const fields = new Map(
      node.items.map(({ key, value }) => {
        const name = String(isScalar(key) ? key.value : key)
        const keyPosition = key.range ? context.positionAt(key.range[0]) : position
        return [
          name,
          { ...locate(value, keyPosition, field === '' ? name : `${field}.${name}`, innerContext), position: keyPosition },
        ]
      }),
    )
    const value = Object.fromEntries([...fields].map(([name, located]) => [name, located.value]))
    return { value, position, field, fields, items: [] }
  }
  return { value: isScalar(node) ? node.value : null, position, field, fields: new Map(), items: [] }
}
