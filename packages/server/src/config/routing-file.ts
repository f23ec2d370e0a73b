import { parseDocument, type Document } from 'yaml'
import { isObject } from '../lib/is-object.ts'
import type { Environment } from './env.ts'
import { substituteEnvironment, type FileValue } from './substitute-environment.ts'
import { readYaml } from './yaml-text.ts'

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
 * Takes the sections from the text of the file. Values are text as elsewhere in it, but what a route sends along as `extra` and a
 * `workflow` that stands there itself keep the types that YAML gives them: `cfg: 0.5` is a number there.
 */
export function readRoutingFile(text: string, { env, label, path, baseDir }: RoutingSource, faults: string[]): RoutingFile {
  const yaml = readYaml(text, label, faults)
  if (yaml === undefined) return noRoutingFile(baseDir)
  const { values, document, lineCounter } = yaml
  // The bounds and the keys of the same text were checked above.
  const typed = parseDocument(text, { schema: 'core', uniqueKeys: false })
  const section = (name: string): FileValue => {
    const value = isObject(values) ? ((values as Record<string, FileValue>)[name] ?? null) : null
    return substituteEnvironment(value, { env, label, faults })
  }
  return {
    upstreams: section('upstreams'),
    routes: withTypedFields(section('routes'), typed),
    label,
    path,
    baseDir,
    lineOf: (fieldPath) => lineCounter.linePos(offsetOf(document, fieldPath)).line,
  }
}

const typedFields = ['extra', 'workflow'] as const

function withTypedFields(routes: FileValue, typed: Document): unknown {
  if (!Array.isArray(routes)) return routes
  const typedRoutes = (typed.toJS() as { routes?: unknown[] } | null)?.routes ?? []
  return routes.map((route, index) => {
    if (typeof route !== 'object' || route === null || Array.isArray(route)) return route
    const typedRoute = typedRoutes[index] as Record<string, unknown>
    const kept = typedFields.filter((name) => typeof typedRoute[name] === 'object' && typedRoute[name] !== null)
    return { ...route, ...Object.fromEntries(kept.map((name) => [name, typedRoute[name]])) }
  })
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined
    if (node?.range !== undefined) return node.range[0]
  }
  return 0
}
