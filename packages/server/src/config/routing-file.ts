import { parseDocument, type Document } from 'yaml'
import { isObject } from '../lib/is-object.ts'
import type { Environment } from './env.ts'
import { substituteEnvironment, type FileValue } from './substitute-environment.ts'
import { readModelsFolder, readModelsSection, type ModelFile, type PreviousModels } from './model-files.ts'
import { readYaml } from './yaml-text.ts'

/**
 * The sections `upstreams`, `routes` and `models` of the configuration file, not checked yet, with
 * the positions of their entries. In `upstreams` and `routes`, environment variables have replaced
 * `${NAME}`.
 */
export interface RoutingFile {
  upstreams: unknown
  routes: unknown
  /** The models of the file, and of the folder `models` next to it. */
  models: readonly ModelFile[]
  /** Name of the file in messages. */
  label: string
  /** Absolute path; null if there is no valid file. */
  path: string | null
  /** Changes when the file changes. Taken before the file was read. */
  stamp?: string | undefined
  /** Base of relative paths in the file. */
  baseDir: string
  /** Returns the line of an entry, or of the innermost existing entry that contains it. */
  lineOf(path: readonly (string | number)[]): number
}

export function noRoutingFile(baseDir: string): RoutingFile {
  return { upstreams: null, routes: null, models: [], label: '', path: null, baseDir, lineOf: () => 1 }
}

interface RoutingSource {
  env: Environment
  label: string
  path: string
  baseDir: string
  stamp?: string | undefined
  previousModels?: PreviousModels
}

/**
 * Extracts the sections from the text of the file, and reads the folder `models` next to it.
 * Scalars of `upstreams` and `routes` are strings. Scalars in `models`, and inside objects and
 * lists of a route's `extra`, `input` and `workflow`, have their YAML types: `0.5` is a number.
 */
export function readRoutingFile(text: string, source: RoutingSource, violations: string[]): RoutingFile {
  const { env, label, path, baseDir } = source
  const yaml = readYaml(text, label, violations)
  if (yaml === undefined) return noRoutingFile(baseDir)
  const { values, lineOf } = yaml
  // `readYaml` above has checked the size limits of this text, and that its keys are unique.
  const documentWithYamlTypes = parseDocument(text, { schema: 'core', uniqueKeys: false })
  const hasModels = isObject(values) && 'models' in values
  const readSection = (name: string): FileValue => {
    const value = isObject(values) ? ((values as Record<string, FileValue>)[name] ?? null) : null
    return substituteEnvironment(value, { env, label, violations })
  }
  return {
    upstreams: readSection('upstreams'),
    routes: withTypedFields(readSection('routes'), documentWithYamlTypes, env),
    label,
    path,
    stamp: source.stamp,
    baseDir,
    models: [
      hasModels ? (readModelsSection(text, label) ?? []) : [],
      readModelsFolder(baseDir, violations, source.previousModels),
    ].flat(),
    lineOf,
  }
}

const typedFields = ['extra', 'workflow', 'input'] as const

function withTypedFields(routes: FileValue, documentWithYamlTypes: Document, env: Environment): unknown {
  if (!Array.isArray(routes)) return routes
  const { routes: typedRoutes = [] } = (documentWithYamlTypes.toJS() ?? {}) as { routes?: unknown[] }
  // Variables that are not set were reported for `routes` already.
  const routesWithYamlTypes = substituteEnvironment(typedRoutes, { env, label: '', violations: [] })
  return routes.map((route, index) => {
    if (typeof route !== 'object' || route === null || Array.isArray(route)) return route
    const typedRoute = routesWithYamlTypes[index] as Record<string, unknown>
    const fields = typedFields.filter((name) => typeof typedRoute[name] === 'object' && typedRoute[name] !== null)
    return { ...route, ...Object.fromEntries(fields.map((name) => [name, typedRoute[name]])) }
  })
}
