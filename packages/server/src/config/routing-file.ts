import { LineCounter, parseDocument, type Document } from 'yaml'
import type { Environment } from './env.ts'
import { substituteEnvironment, type FileValue } from './substitute-environment.ts'

/** The `upstreams` and `routes` sections as they stand in the file, and where everything stands. */
export interface RoutingFile {
  upstreams: unknown
  routes: unknown
  /** What messages call the file. */
  label: string
  /** Absolute; null when nothing was read. */
  path: string | null
  /** Where relative paths of the file start. */
  baseDir: string
  /** Of the entry, or of the nearest one around it that is there. */
  lineOf(path: readonly (string | number)[]): number
}

export function noRoutingFile(baseDir: string): RoutingFile {
  return { upstreams: null, routes: null, label: '', path: null, baseDir, lineOf: () => 1 }
}

interface RoutingSource {
  env: Environment
  label: string
  path: string
  baseDir: string
}

/**
 * Takes the sections from the text of the file. Values are text as elsewhere in it, but what a route sends along as `extra` keeps the
 * type that YAML gives it: `cfg: 0.5` is a number there.
 */
export function readRoutingFile(text: string, { env, label, path, baseDir }: RoutingSource, faults: string[]): RoutingFile {
  const lineCounter = new LineCounter()
  const plain = parseDocument(text, { schema: 'failsafe', lineCounter })
  const typed = parseDocument(text, { schema: 'core' })
  const section = (name: string): FileValue => {
    const value = (plain.toJS() as Record<string, FileValue> | null)?.[name] ?? null
    return substituteEnvironment(value, { env, label, faults })
  }
  return {
    upstreams: section('upstreams'),
    routes: withTypedExtras(section('routes'), typed),
    label,
    path,
    baseDir,
    lineOf: (fieldPath) => lineCounter.linePos(offsetOf(plain, fieldPath)).line,
  }
}

function withTypedExtras(routes: FileValue, typed: Document): unknown {
  if (!Array.isArray(routes)) return routes
  return routes.map((route, index) => {
    const extra: unknown = typed.getIn(['routes', index, 'extra'])
    if (typeof route !== 'object' || route === null || Array.isArray(route) || extra === undefined) return route
    return { ...route, extra: (typed.toJS() as { routes: { extra: unknown }[] }).routes[index]?.extra }
  })
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined
    if (node?.range !== undefined) return node.range[0]
  }
  return 0
}
