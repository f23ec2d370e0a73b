import type { RoutingFile } from '../../config/routing-file.ts'
import type { FieldViolation } from '../../lib/field-violation.ts'
import { isObject } from '../../lib/is-object.ts'
import { Fields } from '../../lib/read-fields.ts'
import type { RouteDefinition, Routing, UpstreamDefinition } from './definitions.ts'
import { describeViolation, readOptionsFor, type RoutingContext } from './load-routing.ts'
import { readRouting } from './read-routing.ts'
import type { Encryption } from '../encryption.ts'
import type { RawEntry, StoredRouting, StoredUpstream } from './stored-routing.ts'

/** A configured upstream or route, with its fields as the operator wrote them. */
export interface RoutingEntry<Definition> {
  name: string
  source: 'file' | 'api'
  /** The fields as the operator wrote them, without a stored credential. */
  raw: RawEntry
  /** Undefined while the entry is disabled because of violations. */
  definition: Definition | undefined
  /**
   * The reasons why the entry is disabled. Their paths begin at the fields of the entry. An entry
   * of the file is disabled only if its upstream is a stored entry that is disabled. All other
   * violations in the file are `fileViolations`.
   */
  violations: readonly FieldViolation[]
}

export type UpstreamEntry = RoutingEntry<UpstreamDefinition> & { hasCredential: boolean }
export type RouteEntry = RoutingEntry<RouteDefinition>

export interface MergedRouting {
  routing: Routing
  upstreams: readonly UpstreamEntry[]
  routes: readonly RouteEntry[]
  /**
   * Violations in the file, as sentences. If there are any, the caller must not use this routing.
   */
  fileViolations: readonly string[]
}

/**
 * Merges the entries of the file with the stored entries. If both have an entry with the same name,
 * the file's entry is used. A stored entry with a violation is disabled. The other entries stay in
 * use.
 */
export function mergeRouting(
  file: RoutingFile,
  storedRouting: StoredRouting,
  context: RoutingContext,
  encryption: Encryption,
): MergedRouting {
  const fileUpstreams = isObject(file.upstreams) ? file.upstreams : {}
  const fileRoutes: unknown[] = Array.isArray(file.routes) ? file.routes : []
  const violations: FieldViolation[] = []
  const storedUpstreams = new Map<string, RawEntry>()
  const disabledUpstreams: string[] = []
  for (const [name, upstream] of storedRouting.upstreams) {
    if (Object.hasOwn(fileUpstreams, name)) continue
    const decryptedUpstream = decryptUpstream(upstream, encryption)
    if (decryptedUpstream === undefined) {
      disabledUpstreams.push(name)
      violations.push({ path: ['upstreams', name, 'api_key'], message: undecryptableKey })
    } else {
      storedUpstreams.set(name, decryptedUpstream)
    }
  }
  const fileRouteNames = new Set(fileRoutes.map(routeNameOf))
  const storedRoutes = [...storedRouting.routes].filter(([name]) => !fileRouteNames.has(name))

  const readResult = readRouting(
    {
      upstreams: isExtensible(file.upstreams, fileUpstreams)
        ? { ...Object.fromEntries(storedUpstreams), ...fileUpstreams }
        : file.upstreams,
      routes: isExtensible(file.routes, fileRoutes)
        ? [...fileRoutes, ...storedRoutes.map(([name, raw]) => ({ ...raw, name }))]
        : file.routes,
    },
    { ...readOptionsFor(file, context), disabledUpstreams, describeRoute },
  )
  violations.push(...readResult.violations)
  const upstreamByName = new Map(readResult.routing.upstreams.map((upstream) => [upstream.name, upstream]))
  const violationsBelow = (section: string, key: string | number): FieldViolation[] =>
    violations.flatMap(({ path: [pathSection, pathKey, ...path], message }) =>
      pathSection === section && pathKey === key ? [{ path, message }] : [],
    )

  function fileUpstreamEntry(name: string, value: unknown): UpstreamEntry {
    const definition = upstreamByName.get(name)
    const raw = isObject(value) ? value : {}
    return { name, source: 'file', raw, definition, violations: [], hasCredential: definition?.credential != null }
  }

  function fileRouteEntry(value: unknown, index: number): RouteEntry {
    const definition = readResult.routesInOrder[index]
    const raw = isObject(value) ? value : {}
    return {
      name: routeNameOf(value),
      source: 'file',
      raw,
      definition,
      violations: hasDisabledUpstream(index) ? [disabledUpstream] : [],
    }
  }

  function storedUpstreamEntry(name: string, { definition: raw, credential }: StoredUpstream): UpstreamEntry {
    const entry = { name, source: 'api', raw, hasCredential: credential !== null } as const
    if (Object.hasOwn(fileUpstreams, name)) return { ...entry, definition: undefined, violations: [nameConflict] }
    return { ...entry, definition: upstreamByName.get(name), violations: violationsBelow('upstreams', name) }
  }

  function storedRouteEntry(name: string, raw: RawEntry): RouteEntry {
    const entry = { name, source: 'api', raw } as const
    const position = storedRoutes.findIndex(([otherName]) => otherName === name)
    if (position === -1) return { ...entry, definition: undefined, violations: [nameConflict] }
    const index = fileRoutes.length + position
    const definition = readResult.routesInOrder[index]
    return {
      ...entry,
      definition,
      violations: hasDisabledUpstream(index) ? [disabledUpstream] : violationsBelow('routes', index),
    }
  }

  /** Whether the route at `index` is disabled only because its upstream is disabled. */
  function hasDisabledUpstream(index: number): boolean {
    return readResult.routesInOrder[index] === undefined && violationsBelow('routes', index).length === 0
  }

  function describeRoute(index: number, violatingIndex: number): string {
    const storedRoute = storedRoutes[index - fileRoutes.length]
    if (storedRoute !== undefined) return `the route ${storedRoute[0]}`
    return violatingIndex < fileRoutes.length ? `routes[${index}]` : `routes[${index}] of ${file.label}`
  }

  const isStored = ([section, key]: FieldViolation['path']): boolean =>
    section === 'upstreams' ? storedUpstreams.has(String(key)) : typeof key === 'number' && key >= fileRoutes.length
  const routes = [
    ...fileRoutes.map(fileRouteEntry),
    ...Array.from(storedRouting.routes, ([name, raw]) => storedRouteEntry(name, raw)),
  ]
  const disabledRoutes = routes.filter((entry) => entry.definition === undefined && !hasNameConflict(entry))
  const disabledModels = disabledRoutes.flatMap(({ raw }) => new Fields(raw, [], []).readText('model') ?? [])
  return {
    routing: { ...readResult.routing, disabledModels },
    upstreams: [
      ...Object.entries(fileUpstreams).map(([name, value]) => fileUpstreamEntry(name, value)),
      ...Array.from(storedRouting.upstreams, ([name, upstream]) => storedUpstreamEntry(name, upstream)),
    ],
    routes,
    fileViolations: readResult.violations
      .filter(({ path }) => !isStored(path))
      .map((violation) => describeViolation(violation, file)),
  }
}

const undecryptableKey = 'cannot be decrypted, because it was encrypted with another key or has changed since; set it again'
const disabledUpstream: FieldViolation = { path: ['upstream'], message: 'is disabled; correct the upstream first' }
const nameConflict: FieldViolation = { path: [], message: 'has a name that the configuration file uses too; take another name' }

/** Whether a route of the file has the name of this stored route, and is used in its place. */
export function hasNameConflict({ violations }: RouteEntry): boolean {
  return violations.includes(nameConflict)
}

function decryptUpstream({ definition, credential }: StoredUpstream, encryption: Encryption): RawEntry | undefined {
  if (credential === null) return definition
  try {
    return { ...definition, api_key: encryption.decrypt(credential) }
  } catch {
    return undefined
  }
}

/**
 * Whether stored entries can be added to a section of the file. The section `raw` must be missing,
 * empty or of the expected type. `entries` is `raw` itself, or an empty stand-in if `raw` has
 * another type.
 */
function isExtensible(raw: unknown, entries: object): boolean {
  return raw === undefined || raw === null || raw === '' || raw === entries
}

/** Returns the name of a route by the same rule as `readRouting`. */
function routeNameOf(raw: unknown): string {
  const fields = new Fields(isObject(raw) ? raw : {}, [], [])
  return fields.readText('name') ?? fields.readText('upstream') ?? ''
}
