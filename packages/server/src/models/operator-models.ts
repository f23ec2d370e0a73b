import { isDeepStrictEqual } from 'node:util'
import { compileDefinedSchema } from '../catalogue/definitions/compile-defined-schema.ts'
import { modelsMax } from '../catalogue/definitions/definition-limits.ts'
import type { ModelDocument } from '../catalogue/definitions/model-document.ts'
import { readModelDocument } from '../catalogue/definitions/read-model-document.ts'
import { readInSteps, type ModelSource } from '../catalogue/definitions/read-model-documents.ts'
import type { DefinedModels } from '../catalogue/catalogue.ts'
import type { Model, ModelDefinition } from '../catalogue/model.ts'
import type { OpenCatalogue } from '../catalogue/open-catalogue.ts'
import { ConfigError } from '../config/config-error.ts'
import type { ExtraStatements, Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { sentenceOf, type FieldViolation } from '../lib/field-violation.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import type { Logger } from '../lib/logger.ts'
import { mergeModels, type MergedModels, type ModelEntry } from './merge-models.ts'
import { createModelVersions } from './model-versions.ts'
import { readStoredModels, stampOfStoredModels, type StoredModel } from './stored-models.ts'

/**
 * The models that operators define, in files and through the API. A change by another process takes
 * effect within a second.
 */
export interface OperatorModels extends AsyncDisposable {
  /** All entries, including those that are disabled. */
  readonly entries: readonly ModelEntry[]
  /**
   * Validates the models of these files without applying them; `use` of the result applies them.
   * Throws a `ConfigError` if they are invalid.
   */
  prepareFiles(files: readonly ModelSource[]): Promise<PreparedModels>
  /**
   * Creates a stored model. `extraStatements` join the commit. A caller whose statements depend on
   * the new models passes `write`, which must make the commit itself. Rejects with `InvalidModel`
   * or `ModelConflict`.
   */
  create(document: Readonly<Record<string, unknown>>, extraStatements: ExtraStatements, write?: WriteModel): Promise<ModelEntry>
  /**
   * Replaces the definition of a stored model, with the same `write` and errors as `create`.
   * `changeOf` computes the new definition from the current one, which another process may have
   * changed. Returns undefined if there is no such stored model.
   */
  replace(id: string, changeOf: ChangeModel, write?: WriteModel): Promise<ModelEntry | undefined>
  /**
   * Removes a stored model in one commit with `extraStatements`. Returns false if the model did not
   * exist. `routeNames` returns the names of the model's routes. Rejects with `ModelConflict` if
   * the model is only in a file, or if it has a route and no file defines the same ID.
   */
  remove(id: string, routeNames: () => readonly string[], extraStatements: ExtraStatements): Promise<boolean>
  /**
   * Adds a listener that is called after each change of the models, before the method that made the
   * change returns.
   */
  onChanged(listener: () => Promise<void>): void
  /** Reads the definition under which a task was accepted. */
  readVersion(versionNo: number): Promise<ModelDefinition | undefined>
}

export type ChangeModel = (before: ModelEntry['document']) => {
  document: ModelEntry['document']
  extraStatements: ExtraStatements
}

/**
 * Writes `first`, `others` and the caller's own statements in one commit. `newModels` has the
 * models after the commit. Returns whether `first` changed a row.
 */
export type WriteModel = (newModels: DefinedModels, first: Statement, ...others: Statement[]) => Promise<boolean>

export interface PreparedModels {
  /** All models of the installation after the files are applied. */
  models: DefinedModels
  use(): Promise<void>
}

/**
 * Error for an invalid definition. The paths of the violations are relative to the definition.
 */
export class InvalidModel extends Error {
  override readonly name = 'InvalidModel'
  readonly violations: readonly FieldViolation[]

  constructor(violations: readonly FieldViolation[]) {
    super('the model is invalid')
    this.violations = violations
  }
}

/** Validates a definition. Rejects with `InvalidModel`. */
export async function readDefinition(document: Readonly<Record<string, unknown>>): Promise<ModelDefinition> {
  const { definition, violations } = readModelDocument(document)
  if (definition === undefined) throw new InvalidModel(violations)
  return definition
}

/** Error for a request that conflicts with the current state of models or routes. */
export class ModelConflict extends Error {
  override readonly name = 'ModelConflict'
}

export interface OperatorModelsDependencies {
  store: Pick<Store, 'database' | 'writeAtomically' | 'onConfigChanged'>
  catalogue: OpenCatalogue
  files: readonly ModelSource[]
  clock: Clock
  logger: Logger
}

export async function createOperatorModels(dependencies: OperatorModelsDependencies): Promise<OperatorModels> {
  const { store, catalogue, clock, logger } = dependencies
  const { database } = store
  const builtInModels = catalogue.models
  const builtInIds = builtInModels.map(({ id }) => id)
  const versions = createModelVersions(store, clock)
  let { files } = dependencies
  let storedModels: ReadonlyMap<string, StoredModel> = new Map()
  let currentModels: MergedModels = { entries: [], fileViolations: [] }
  const changeQueue = new SerialQueue()
  const listeners: (() => Promise<void>)[] = []

  let stamp = await stampOfStoredModels(database)
  await replaceModels(files, await readStoredModels(database, storedModels))

  function mergeOrThrow(newFiles: readonly ModelSource[], newStoredModels: ReadonlyMap<string, StoredModel>): MergedModels {
    const mergedModels = mergeModels(newFiles, newStoredModels, builtInIds)
    if (mergedModels.fileViolations.length > 0) throw new ConfigError(mergedModels.fileViolations)
    return mergedModels
  }

  async function replaceModels(
    newFiles: readonly ModelSource[],
    newStoredModels: ReadonlyMap<string, StoredModel>,
    mergedModels = mergeOrThrow(newFiles, newStoredModels),
  ): Promise<void> {
    catalogue.define(await modelsOf(mergedModels.entries))
    files = newFiles
    storedModels = newStoredModels
    currentModels = mergedModels
    for (const { id, violations } of mergedModels.entries) {
      if (violations.length > 0) logger.warn({ model: id, reasons: violations.map(sentenceOf) }, 'a stored model is disabled')
    }
  }

  /**
   * Returns the models of the enabled entries. Unchanged models remain the same objects, with their
   * compiled validators.
   */
  async function modelsOf(entries: readonly ModelEntry[]): Promise<Model[]> {
    const usedEntries = entries.filter(({ definition }) => definition !== undefined)
    const numbers = await versions.numbersOf(usedEntries.map(({ document }) => document as unknown as ModelDocument))
    return usedEntries.flatMap(({ definition }, index) => {
      const versionNo = numbers[index]
      if (definition === undefined || versionNo === undefined) return []
      const before = catalogue.find(definition.id)
      if (before?.versionNo === versionNo) return [before]
      return [{ ...definition, ...compileDefinedSchema(definition.parameters), versionNo }]
    })
  }

  async function reload(): Promise<void> {
    const newStamp = await stampOfStoredModels(database)
    if (newStamp === stamp) return
    await replaceModels(files, await readStoredModels(database, storedModels))
    stamp = newStamp
    await notify()
  }

  async function notify(): Promise<void> {
    for (const listener of listeners) await listener()
  }

  function entryOf(id: string): ModelEntry | undefined {
    return currentModels.entries.find((entry) => entry.id === id)
  }

  function requireNotInFile(id: string): void {
    const entry = entryOf(id)
    if (entry?.source !== 'file') return
    throw new ModelConflict(`The model ${id} is defined in ${entry.location?.()}; change it there, or use another ID.`)
  }

  async function write(
    id: string,
    newStoredModels: ReadonlyMap<string, StoredModel>,
    statements: readonly [Statement, ...Statement[]],
    writeModel: WriteModel = (_, ...statements) => store.writeAtomically(...statements),
  ): Promise<void> {
    const mergedModels = mergeOrThrow(files, newStoredModels)
    const entry = mergedModels.entries.find((entry) => entry.source === 'api' && entry.id === id)
    if (entry !== undefined && entry.violations.length > 0) throw new InvalidModel(entry.violations)
    const isWritten = await writeModel(allModels(mergedModels), ...statements)
    await reload()
    if (!isWritten) throw new ModelConflict(`The model ${id} was changed by another request at the same time; try again.`)
  }

  function allModels({ entries }: MergedModels): DefinedModels {
    const definitions = entries.flatMap(({ definition }) => definition ?? [])
    const models = [...builtInModels, ...definitions]
    const byId = new Map(models.map((model) => [model.id, model]))
    return { models, find: (id) => byId.get(id) }
  }

  const stopListening = store.onConfigChanged(() => changeQueue.run(reload))

  return {
    get entries() {
      return currentModels.entries
    },

    prepareFiles: (newFiles) =>
      changeQueue.run(async () => {
        await readInSteps(newFiles)
        const storedModelsBefore = storedModels
        const mergedModels = mergeOrThrow(newFiles, storedModelsBefore)
        return {
          models: allModels(mergedModels),
          use: () =>
            changeQueue.run(async () => {
              await replaceModels(newFiles, storedModels, storedModels === storedModelsBefore ? mergedModels : undefined)
              await notify()
            }),
        }
      }),

    create: (document, extraStatements, writeModel) =>
      changeQueue.run(async () => {
        await reload()
        const { id } = await readDefinition(document)
        requireNotInFile(id)
        if (storedModels.has(id)) throw new ModelConflict(`The model ${id} already exists; change or delete it.`)
        if (storedModels.size >= modelsMax)
          throw new ModelConflict(`The limit of ${modelsMax} models is reached; delete one first.`)
        const createdAtMs = clock()
        const row = { id, definition: JSON.stringify(document), created_at: createdAtMs, changed_at: createdAtMs }
        const newStoredModels = new Map(storedModels).set(id, { document, createdAtMs, changedAtMs: createdAtMs })
        // Another process may create the same model at the same time.
        const insert = database
          .insertInto('stored_models')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
        await write(id, newStoredModels, [insert.compile(), ...extraStatements(id)], writeModel)
        return requireEntry(id)
      }),

    replace: (id, changeOf, writeModel) =>
      changeQueue.run(async () => {
        await reload()
        const before = storedModels.get(id)
        if (before === undefined) {
          requireNotInFile(id)
          return undefined
        }
        const { document, extraStatements } = changeOf(before.document)
        if (writeModel === undefined && isDeepStrictEqual(before.document, document)) return requireEntry(id)
        // Each change must have a different time, even within the same millisecond.
        const changedAtMs = Math.max(clock(), before.changedAtMs + 1)
        const newStoredModels = new Map(storedModels).set(id, { ...before, document, changedAtMs })
        const update = database
          .updateTable('stored_models')
          .set({ definition: JSON.stringify(document), changed_at: changedAtMs })
          .where('id', '=', id)
          .where('changed_at', '=', before.changedAtMs)
        await write(id, newStoredModels, [update.compile(), ...extraStatements(id)], writeModel)
        return requireEntry(id)
      }),

    remove: (id, routeNames, extraStatements) =>
      changeQueue.run(async () => {
        await reload()
        if (!storedModels.has(id)) {
          requireNotInFile(id)
          return false
        }
        // If a file defines a model with the same ID, the routes keep their model.
        const [route] = entryOf(id)?.source === 'file' ? [] : routeNames()
        if (route !== undefined) {
          throw new ModelConflict(`The route ${route} serves the model ${id}; remove the route first.`)
        }
        const isRemoved = await store.writeAtomically(
          database.deleteFrom('stored_models').where('id', '=', id).compile(),
          ...extraStatements(id),
        )
        await reload()
        return isRemoved
      }),

    readVersion: (versionNo) => versions.read(versionNo),

    onChanged: (listener) => void listeners.push(listener),

    async [Symbol.asyncDispose]() {
      stopListening()
      await changeQueue.untilSettled()
    },
  }

  function requireEntry(id: string): ModelEntry {
    const entry = currentModels.entries.find((candidate) => candidate.source === 'api' && candidate.id === id)
    if (entry === undefined) throw new Error(`the stored model '${id}' is missing`)
    return entry
  }
}
