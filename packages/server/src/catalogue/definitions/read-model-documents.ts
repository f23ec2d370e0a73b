import { createPause } from '../../lib/pause.ts'
import { toSentence, nameOf, type FieldPath, type FieldViolation } from '../../lib/field-violation.ts'
import type { ModelDefinition } from '../model.ts'
import { modelsMax, violationsMax } from './definition-limits.ts'
import type { ModelDocument } from './model-document.ts'
import { skeletonOf } from './model-id.ts'
import { readModelDocument } from './read-model-document.ts'

/** Definitions of one file: parsed YAML or JSON, with positions. */
export interface ModelSource {
  /** Name of the file in messages. */
  label: string
  /** The list of definitions. Any other value is reported as a violation. */
  documents: unknown
  /**
   * Path of the list in the file, such as `['models']`. Empty if the whole file is one model or a
   * list of models.
   */
  at: FieldPath
  /** The line of the field, or of the nearest enclosing field that exists. */
  lineOf(path: FieldPath): number
}

export interface DefinedModel {
  definition: ModelDefinition
  document: ModelDocument
  /**
   * Returns the location of the model, such as `models/flux.yaml, line 3`. It is a function because
   * finding a line takes time.
   */
  location: () => string
}

export interface ModelsResult {
  models: readonly DefinedModel[]
  /**
   * Violations as sentences that name file, line and field. If there are any, the caller must use
   * none of the models.
   */
  violations: readonly string[]
}

/**
 * Reads the definitions of all files. `reservedIds` has the IDs that no definition may have or
 * resemble.
 */
export function readModelDocuments(sources: readonly ModelSource[], reservedIds: Iterable<string>): ModelsResult {
  const models: DefinedModel[] = []
  const violations: string[] = []
  let modelCount = 0
  let omittedCount = 0
  const ids = new UniqueIds(reservedIds)
  for (const source of sources) {
    for (const [document, path] of documentsOf(source)) {
      modelCount += 1
      if (modelCount > modelsMax) {
        violations.push(
          `${source.label}, line ${source.lineOf(path)}: exceeds the limit of ${modelsMax} models in all files together.`,
        )
        return { models, violations }
      }
      const report = (violation: FieldViolation): void => {
        if (violations.length < violationsMax) violations.push(describeModelViolation(source, path, violation))
        else omittedCount += 1
      }
      const result = readModelDocument(document)
      for (const violation of result.violations) report(violation)
      if (result.definition === undefined || result.document === undefined) continue
      const location = (): string => `${source.label}, line ${source.lineOf([...path, 'id'])}`
      const conflict = ids.claim(result.definition.id, location)
      if (conflict !== null) report({ path: ['id'], message: conflict })
      else models.push({ definition: result.definition, document: result.document, location })
    }
  }
  if (omittedCount > 0) violations.push(`There are ${omittedCount} more errors in models.`)
  return { models, violations }
}

/**
 * Reads new definitions into the cache of `readModelDocument`. It pauses between short steps, so
 * that the thread can serve requests meanwhile.
 */
export async function readInSteps(sources: readonly ModelSource[]): Promise<void> {
  const pause = createPause()
  for (const source of sources) {
    for (const [document] of documentsOf(source)) {
      readModelDocument(document)
      await pause()
    }
  }
}

/** The IDs in use, each with its location. IDs that a person could confuse count as the same ID. */
export class UniqueIds {
  readonly #locations = new Map<string, { id: string; location: () => string }>()

  constructor(reservedIds: Iterable<string>) {
    for (const id of reservedIds) this.#locations.set(skeletonOf(id), { id, location: () => 'a built-in model' })
  }

  /**
   * Claims an ID and returns null. If the ID is taken, returns the reason as the end of a sentence
   * that begins with the field's name.
   */
  claim(id: string, location: () => string): string | null {
    const skeleton = skeletonOf(id)
    const duplicate = this.#locations.get(skeleton)
    if (duplicate === undefined) {
      this.#locations.set(skeleton, { id, location })
      return null
    }
    return duplicate.id === id
      ? `must be unique: ${JSON.stringify(id)} is also the ID of ${duplicate.location()}`
      : `must be distinguishable: ${JSON.stringify(id)} looks like ${JSON.stringify(duplicate.id)} of ${duplicate.location()}`
  }
}

function describeModelViolation(source: ModelSource, path: FieldPath, { path: field, message }: FieldViolation): string {
  const fieldPath = [...path, ...field]
  return `${source.label}, line ${source.lineOf(fieldPath)}: ${nameOf(fieldPath) || 'It'} ${toSentence(message)}`
}

function documentsOf({ documents, at }: ModelSource): (readonly [document: unknown, path: FieldPath])[] {
  if (Array.isArray(documents)) return documents.map((document: unknown, index) => [document, [...at, index]] as const)
  if (documents === null || documents === undefined || documents === '') return []
  return [[documents, at]]
}
