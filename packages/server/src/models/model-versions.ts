import { createHash } from 'node:crypto'
import type { ModelDefinition } from '../catalogue/model.ts'
import { readModelDocument } from '../catalogue/definitions/read-model-document.ts'
import type { ModelDocument } from '../catalogue/definitions/model-document.ts'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'

/**
 * The versions of model definitions. A task records the version under which it was accepted. This
 * version determines the limits and view of the task, and its price unless an operator has set one,
 * even if the model changes later.
 */
export interface ModelVersions {
  /**
   * Returns the version number of each definition, in the given order. A new definition gets a new
   * number.
   */
  numbersOf(documents: readonly ModelDocument[]): Promise<number[]>
  /**
   * Reads the definition of a version. Undefined if there is no such version, or if this program
   * cannot parse its definition.
   */
  read(versionNo: number): Promise<ModelDefinition | undefined>
}

const rowsPerQuery = 500
/** Maximum number of cached definitions of former versions. */
const cachedDefinitionsMax = 1_000

export function createModelVersions(store: Pick<Store, 'database' | 'writeAtomically'>, clock: Clock): ModelVersions {
  const { database } = store
  const versionNumbers = new Map<string, number>()
  const cachedDefinitions = new Map<number, ModelDefinition>()

  function isUnknown(version: Version): boolean {
    return !versionNumbers.has(keyOf(version))
  }

  async function loadNumbers(models: readonly Version[]): Promise<void> {
    for (let start = 0; start < models.length; start += rowsPerQuery) {
      const digests = models.slice(start, start + rowsPerQuery).map(({ digest }) => digest)
      const rows = await database
        .selectFrom('model_versions')
        .select(['no', 'model', 'digest'])
        .where('digest', 'in', digests)
        .execute()
      for (const { no, model, digest } of rows) versionNumbers.set(keyOf({ model, digest }), no)
    }
  }

  return {
    async numbersOf(documents) {
      const versions = documents.map(versionOf)
      await loadNumbers(versions.filter(isUnknown))
      const addedVersions = versions.filter(isUnknown)
      for (let start = 0; start < addedVersions.length; start += rowsPerQuery) {
        const created_at = clock()
        const rows = addedVersions.slice(start, start + rowsPerQuery).map((version) => Object.assign({ created_at }, version))
        // Another process may add the same version at the same time.
        await store.writeAtomically(
          database
            .insertInto('model_versions')
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        )
      }
      await loadNumbers(addedVersions)
      return versions.map((version) => {
        const no = versionNumbers.get(keyOf(version))
        if (no === undefined) throw new Error(`the version of the model '${version.model}' was not stored`)
        return no
      })
    },

    async read(versionNo) {
      const cachedDefinition = cachedDefinitions.get(versionNo)
      if (cachedDefinition !== undefined) return cachedDefinition
      const row = await database.selectFrom('model_versions').select('definition').where('no', '=', versionNo).executeTakeFirst()
      const definition = row && readModelDocument(JSON.parse(row.definition)).definition
      if (definition === undefined) return undefined
      cachedDefinitions.set(versionNo, definition)
      for (const oldestNo of cachedDefinitions.keys()) {
        if (cachedDefinitions.size <= cachedDefinitionsMax) break
        cachedDefinitions.delete(oldestNo)
      }
      return definition
    },
  }
}

type Version = Pick<Tables['model_versions'], 'model' | 'digest' | 'definition'>

const knownVersions = new WeakMap<ModelDocument, Version>()

function versionOf(document: ModelDocument): Version {
  const version = knownVersions.get(document) ?? newVersionOf(document)
  knownVersions.set(document, version)
  return version
}

function newVersionOf(document: ModelDocument): Version {
  const definition = JSON.stringify(document)
  return { model: document.id, digest: createHash('sha256').update(definition).digest('hex'), definition }
}

function keyOf({ model, digest }: Pick<Version, 'model' | 'digest'>): string {
  return `${digest} ${model}`
}
