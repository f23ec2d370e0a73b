import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'

export interface Place {
  line: number
  column: number
}

/** What is wrong with a file, and where. */
export interface Fault extends Place {
  /** Such as `accounts[0].keys[1].scopes`; empty for the whole file. */
  field: string
  /** Follows the field. */
  message: string
}

/** A value of the file as plain data, with the places where it and its parts stand. */
export interface Located {
  value: unknown
  place: Place
  /** How it is called from the top of the file. */
  field: string
  /** Of a map, by name; each stands where its name stands. */
  fields: ReadonlyMap<string, Located>
  /** Of a list. */
  items: readonly Located[]
}

/** Where a field stands, or else what it is missing from. */
export function partOf(item: Located, field: string): Located {
  return item.fields.get(field) ?? item
}

export function faultAt({ place, field }: Located, message: string): Fault {
  return { ...place, field, message }
}

/** Reads YAML; when it is none, only the faults say something. */
export function parseLocated(text: string): { root: Located | undefined; faults: Fault[] } {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true })
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset)
    return { line, column: col }
  }
  const faults = document.errors.map(({ message, pos }) => ({
    ...placeAt(pos[0]),
    field: '',
    // The parser quotes what it stumbled over, which may be a secret of the service's settings.
    message: `is not YAML: ${message.split(/["'`]/, 1)[0]?.trimEnd().replace(/:$/, '')}.`,
  }))
  if (faults.length > 0) return { root: undefined, faults }
  try {
    return { root: locate(document.contents, placeAt(0), '', { document, placeAt, depth: 0 }), faults }
  } catch (error) {
    return { root: undefined, faults: [{ line: 1, column: 1, field: '', message: (error as Error).message }] }
  }
}

interface Reading {
  document: Document.Parsed
  placeAt: (offset: number) => Place
  depth: number
}

/** An alias may name what it stands in. */
const depthMax = 20

function locate(given: Node | null, usualPlace: Place, field: string, reading: Reading): Located {
  if (reading.depth > depthMax) throw new Error(`is nested more than ${depthMax} deep`)
  const node = isAlias(given) ? (given.resolve(reading.document) ?? null) : given
  const offset = given?.range?.[0]
  const place = offset === undefined ? usualPlace : reading.placeAt(offset)
  const inner = { ...reading, depth: reading.depth + 1 }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) => locate(item, place, `${field}[${index}]`, inner))
    return { value: items.map(({ value }) => value), place, field, fields: new Map(), items }
  }
  if (isMap<Node, Node | null>(node)) {
    const fields = new Map(
      node.items.map(({ key, value }) => {
        const name = String(isScalar(key) ? key.value : key)
        const at = key.range ? reading.placeAt(key.range[0]) : place
        return [name, { ...locate(value, at, field === '' ? name : `${field}.${name}`, inner), place: at }]
      }),
    )
    const value = Object.fromEntries([...fields].map(([name, located]) => [name, located.value]))
    return { value, place, field, fields, items: [] }
  }
  return { value: isScalar(node) ? node.value : null, place, field, fields: new Map(), items: [] }
}
