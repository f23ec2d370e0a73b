import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '../../config/config-error.ts'
import type { RoutingFile } from '../../config/routing-file.ts'
import type { ExtraStatements, Statement } from '../../db/statement.ts'
import type { Store } from '../../db/store.ts'
import type { Clock } from '../../lib/clock.ts'
import { sentenceOf, type FieldViolation } from '../../lib/field-violation.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { mergeRouting, type MergedRouting, type RouteEntry, type UpstreamEntry } from './merge-routing.ts'
import type { RoutingContext } from './load-routing.ts'
import { entryNameRule, isEntryName } from './read-upstream.ts'
import type { Routes } from '../routes.ts'
import type { Encryption } from '../encryption.ts'
import { readConfigVersion, readStoredRouting, type RawEntry, type StoredRouting, type StoredUpstream } from './stored-routing.ts'

/**
 * Upstreams and routes from the configuration file and from the operator API. Changes stored by
 * another process take effect within a second.
 */
export interface OperatorRouting extends AsyncDisposable {
  /** All upstreams, including disabled ones. */
  readonly upstreams: readonly UpstreamEntry[]
  readonly routes: readonly RouteEntry[]
  /**
   * Names of the routes in use whose `model` is exactly this model. Routes for `*` are not
   * included.
   */
  routeNamesOf(modelId: string): readonly string[]
  /**
   * Uses this file instead of the previous one, and checks entries against the models of
   * `newContext`. If the file cannot be used, throws a `ConfigError` and keeps the routing in use.
   */
  useFile(file: RoutingFile, newContext: RoutingContext): Promise<void>
  /** Merges the file and the stored routing again after a change of the known models. */
  refresh(): Promise<void>
  /**
   * Stores an upstream in one commit with the statements of `extraStatements`. An `apiKey` of null
   * removes the key, and undefined keeps it. Like `setRoute` and the `remove` methods, it returns
   * whether the entry existed before, and throws `InvalidRouting` or `RoutingConflict`.
   */
  setUpstream(
    name: string,
    definition: RawEntry,
    apiKey: string | null | undefined,
    extraStatements: ExtraStatements,
  ): Promise<boolean>
  setRoute(name: string, definition: RawEntry, extraStatements: ExtraStatements): Promise<boolean>
  /**
   * Stores routes and changes models in one commit. `statements` change the models, and
   * `newContext` describes the changed models. The routes take effect at the next `refresh`.
   * Returns whether the first statement has changed a row. If it has not, nothing is written.
   */
  setRoutesWith(
    routeChanges: readonly RouteChange[],
    newContext: RoutingContext,
    statements: readonly [Statement, ...Statement[]],
  ): Promise<boolean>
  removeUpstream(name: string, extraStatements: ExtraStatements): Promise<boolean>
  removeRoute(name: string, extraStatements: ExtraStatements): Promise<boolean>
}

/** A route to store. It replaces a stored route of the same name. */
export interface RouteChange {
  name: string
  /**
   * Computes the new entry from the stored entry of the same name. Another request may have changed
   * the stored entry since the caller read it.
   */
  definitionAfter: (previous: RawEntry | undefined) => RawEntry
  extraStatementsAfter: (previous: RawEntry | undefined) => ExtraStatements
}

/** The requested entry is invalid. The paths of the violations begin at the fields of the entry. */
export class InvalidRouting extends Error {
  override readonly name = 'InvalidRouting'
  readonly violations: readonly FieldViolation[]

  constructor(violations: readonly FieldViolation[]) {
    super('the upstream or route is invalid')
    this.violations = violations
  }
}

/** The requested change conflicts with another entry of the current routing. */
export class RoutingConflict extends Error {
  override readonly name = 'RoutingConflict'
}

export interface OperatorRoutingDependencies {
  store: Pick<Store, 'database' | 'writeAtomically' | 'onConfigChanged'>
  routes: Pick<Routes, 'use'>
  file: RoutingFile
  /** The known models and drivers. Its properties always reflect the current catalogue. */
  context: RoutingContext
  encryption: Encryption
  clock: Clock
  logger: Logger
}

type Section = 'upstreams' | 'routes'

export async function createOperatorRouting(dependencies: OperatorRoutingDependencies): Promise<OperatorRouting> {
  const { store, routes, context, encryption, clock, logger } = dependencies
  const { database } = store
  let { file } = dependencies
  /**
   * Version of the configuration in the database, which was read before `storedRouting`. Every
   * change of an upstream or route raises it.
   */
  let configVersion = await readConfigVersion(database)
  let storedRouting = await readStoredRouting(database)
  let currentRouting: MergedRouting
  const changeQueue = new SerialQueue()

  await replaceRouting(file, storedRouting)

  async function replaceRouting(newFile: RoutingFile, newStoredRouting: StoredRouting, newContext = context): Promise<void> {
    const mergedRouting = mergeRouting(newFile, newStoredRouting, newContext, encryption)
    if (mergedRouting.fileViolations.length > 0) throw new ConfigError(mergedRouting.fileViolations)
    await routes.use(mergedRouting.routing)
    file = newFile
    storedRouting = newStoredRouting
    currentRouting = mergedRouting
    for (const { name, violations } of invalidEntries(mergedRouting)) {
      logger.warn({ name, reasons: violations.map(sentenceOf) }, 'an upstream or route is disabled')
    }
  }

  async function reload(): Promise<void> {
    configVersion = await readConfigVersion(database)
    const newStoredRouting = await readStoredRouting(database)
    if (!isDeepStrictEqual(newStoredRouting, storedRouting)) await replaceRouting(file, newStoredRouting)
  }

  /**
   * Throws if the entry of this name is invalid in `candidate`, or if `candidate` makes other
   * entries invalid.
   */
  function requireValid(section: Section, name: string, candidate: StoredRouting, newContext = context): void {
    const mergedRouting = mergeRouting(file, candidate, newContext, encryption)
    const storedEntry = mergedRouting[section].find((entry) => entry.source === 'api' && entry.name === name)
    if (storedEntry !== undefined && storedEntry.violations.length > 0) throw new InvalidRouting(storedEntry.violations)
    const [violation] = mergedRouting.fileViolations
    if (violation !== undefined)
      throw new RoutingConflict(`This change is not possible, because ${file.label} depends on it: ${violation}`)
    const invalidBefore = new Set(invalidEntries(currentRouting).map(({ raw }) => raw))
    const brokenEntry = invalidEntries(mergedRouting).find(({ raw }) => !invalidBefore.has(raw))
    if (brokenEntry === undefined) return
    if (section === 'upstreams' && !candidate.upstreams.has(name)) {
      throw new RoutingConflict(
        `This change is not possible, because the route ${brokenEntry.name} depends on it. Remove the route first, or set ` +
          'another upstream for it.',
      )
    }
    const reasons = brokenEntry.violations.map(sentenceOf).join(' ')
    throw new RoutingConflict(`This change is not possible, because the route ${brokenEntry.name} depends on it: ${reasons}`)
  }

  /**
   * Requires the key again when the destination changes. Otherwise, an operator who does not know
   * the stored key could send it to a server of their own.
   */
  function requireNewKey(previous: StoredUpstream | undefined, definition: RawEntry, apiKey: string | null | undefined): void {
    if (apiKey !== undefined || previous === undefined || previous.credential === null) return
    const destination = destinationOf(definition)
    // Null means that the entry itself is invalid. `requireValid` rejects it later.
    if (destination === null || destination === destinationOf(previous.definition)) return
    const message = 'must be given again, or be null, if driver or the origin of base_url changes'
    throw new InvalidRouting([{ path: ['api_key'], message }])
  }

  function destinationOf({ driver: driverName, base_url }: RawEntry): string | null {
    const driver = context.drivers.find(({ name }) => name === driverName)
    const baseUrl = base_url ?? driver?.defaultBaseUrl
    if (driver === undefined || typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return null
    return `${driver.name} ${new URL(baseUrl).origin}`
  }

  function requireNotInFile(section: Section, name: string): void {
    if (!currentRouting[section].some((entry) => entry.source === 'file' && entry.name === name)) return
    const noun = section === 'upstreams' ? 'upstream' : 'route'
    throw new RoutingConflict(`The ${noun} ${name} is defined in ${file.label}; change it there, or use another name.`)
  }

  function upstreamStatement(name: string, upstream: StoredUpstream): Statement {
    const columns = { definition: JSON.stringify(upstream.definition), credential: upstream.credential }
    const writeStatement = database
      .insertInto('stored_upstreams')
      .values({ name, ...columns, created_at: clock() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    return writeStatement.compile()
  }

  function routeStatement(name: string, definition: RawEntry): Statement {
    const columns = { definition: JSON.stringify(definition) }
    const writeStatement = database
      .insertInto('stored_routes')
      .values({ name, ...columns, created_at: clock() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    return writeStatement.compile()
  }

  /**
   * Writes the statements in one commit, if the configuration has not changed since the last call
   * of `reload`. Returns false and writes nothing if another process has changed it: the check of
   * the change may no longer hold.
   */
  async function writeIfUnchanged(...statements: Statement[]): Promise<boolean> {
    const lockVersion = database
      .updateTable('config_version')
      .set({ version: configVersion })
      .where('version', '=', configVersion)
    if (!(await store.writeAtomically(lockVersion.compile(), ...statements))) return false
    await reload()
    return true
  }

  /** Returns false and writes nothing if another process has changed the configuration. */
  async function changeEntry(
    section: Section,
    name: string,
    candidate: StoredRouting,
    writeStatement: Statement,
    extraStatements: ExtraStatements,
  ): Promise<boolean> {
    requireNotInFile(section, name)
    requireValid(section, name, candidate)
    return writeIfUnchanged(writeStatement, ...extraStatements(name))
  }

  const stopListening = store.onConfigChanged(() => changeQueue.run(reload).catch(logRejected))

  function logRejected(error: unknown): void {
    if (!(error instanceof ConfigError)) throw error
    logger.error({ violations: error.violations }, 'upstreams and routes cannot be used; the previous ones stay in use')
  }

  return {
    get upstreams() {
      return currentRouting.upstreams
    },
    get routes() {
      return currentRouting.routes
    },
    routeNamesOf: (modelId) => currentRouting.routing.routes.flatMap(({ model, name }) => (model === modelId ? [name] : [])),

    useFile: (newFile, newContext) => changeQueue.run(() => replaceRouting(newFile, storedRouting, newContext)),

    refresh: () => changeQueue.run(async () => replaceRouting(file, await readStoredRouting(database))).catch(logRejected),

    setUpstream: (name, definition, apiKey, extraStatements) =>
      changeQueue.run(async () => {
        for (;;) {
          await reload()
          const previous = storedRouting.upstreams.get(name)
          requireNewKey(previous, definition, apiKey)
          const upstream = { definition, credential: newCredential(previous, apiKey, encryption) }
          if (isDeepStrictEqual(previous, upstream)) return true
          const candidate = { ...storedRouting, upstreams: new Map(storedRouting.upstreams).set(name, upstream) }
          const writeStatement = upstreamStatement(name, upstream)
          if (await changeEntry('upstreams', name, candidate, writeStatement, extraStatements)) return previous !== undefined
        }
      }),

    setRoute: (name, definition, extraStatements) =>
      changeQueue.run(async () => {
        for (;;) {
          await reload()
          const previous = storedRouting.routes.get(name)
          if (isDeepStrictEqual(previous, definition)) return true
          if (!isEntryName(name)) throw new InvalidRouting([{ path: [], message: entryNameRule }])
          const candidate = { ...storedRouting, routes: new Map(storedRouting.routes).set(name, definition) }
          const writeStatement = routeStatement(name, definition)
          if (await changeEntry('routes', name, candidate, writeStatement, extraStatements)) return previous !== undefined
        }
      }),

    setRoutesWith: (routeChanges, newContext, statements) =>
      changeQueue.run(async () => {
        await reload()
        const newRoutes = routeChanges.map(({ name, definitionAfter, extraStatementsAfter }) => {
          const previous = storedRouting.routes.get(name)
          return { name, definition: definitionAfter(previous), extraStatements: extraStatementsAfter(previous) }
        })
        const candidateRoutes = new Map([
          ...storedRouting.routes,
          ...newRoutes.map(({ name, definition }) => [name, definition] as const),
        ])
        for (const { name } of newRoutes) {
          requireNotInFile('routes', name)
          requireValid('routes', name, { ...storedRouting, routes: candidateRoutes }, newContext)
        }
        const routeStatements = newRoutes.flatMap(({ name, definition, extraStatements }) =>
          [routeStatement(name, definition)].concat(extraStatements(name)),
        )
        return store.writeAtomically(...statements, ...routeStatements)
      }),

    removeUpstream: (name, extraStatements) =>
      changeQueue.run(async () => {
        for (;;) {
          await reload()
          if (!storedRouting.upstreams.has(name)) requireNotInFile('upstreams', name)
          if (!storedRouting.upstreams.has(name)) return false
          const candidate = { ...storedRouting, upstreams: withoutEntry(storedRouting.upstreams, name) }
          requireValid('upstreams', name, candidate)
          const removeStatement = database.deleteFrom('stored_upstreams').where('name', '=', name)
          if (await writeIfUnchanged(removeStatement.compile(), ...extraStatements(name))) return true
        }
      }),

    removeRoute: (name, extraStatements) =>
      changeQueue.run(async () => {
        for (;;) {
          await reload()
          if (!storedRouting.routes.has(name)) requireNotInFile('routes', name)
          if (!storedRouting.routes.has(name)) return false
          // The removal needs no check. It takes its locks in the same order as a change, which prevents
          // a deadlock.
          const removeStatement = database.deleteFrom('stored_routes').where('name', '=', name)
          if (await writeIfUnchanged(removeStatement.compile(), ...extraStatements(name))) return true
        }
      }),

    async [Symbol.asyncDispose]() {
      stopListening()
      await changeQueue.untilSettled()
    },
  }
}

function invalidEntries({ upstreams, routes }: MergedRouting): (UpstreamEntry | RouteEntry)[] {
  return [...upstreams, ...routes].filter(({ violations }) => violations.length > 0)
}

/**
 * Returns the credential to store. For an unchanged key, returns the stored text. Encrypting the
 * key again would give another text, which would count as a change.
 */
function newCredential(
  previous: StoredUpstream | undefined,
  apiKey: string | null | undefined,
  encryption: Encryption,
): string | null {
  const encryptedCredential = previous?.credential ?? null
  if (apiKey === null) return null
  if (apiKey === undefined || isEncryptionOf(encryptedCredential, apiKey, encryption)) return encryptedCredential
  return encryption.encrypt(apiKey)
}

function isEncryptionOf(encrypted: string | null, apiKey: string, encryption: Encryption): boolean {
  try {
    return encrypted !== null && encryption.decrypt(encrypted) === apiKey
  } catch {
    return false
  }
}

function withoutEntry<Value>(map: ReadonlyMap<string, Value>, name: string): Map<string, Value> {
  const remaining = new Map(map)
  remaining.delete(name)
  return remaining
}
