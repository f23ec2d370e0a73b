import type { ModelDefinition } from '../catalogue/model.ts'
import { readModelDocument } from '../catalogue/definitions/read-model-document.ts'
import { readModelDocuments, UniqueIds, type ModelSource } from '../catalogue/definitions/read-model-documents.ts'
import type { ModelDocument } from '../catalogue/definitions/model-document.ts'
import type { FieldViolation } from '../lib/field-violation.ts'
import type { StoredModel } from './stored-models.ts'

/** A model that an operator has defined, and its state. */
export interface ModelEntry {
  id: string
  source: 'file' | 'api'
  /** The definition in the format of the configuration file. */
  document: Readonly<Record<string, unknown>>
  /**
   * Returns the file and line, such as `models/flux.yaml, line 1`. Null: the model was set through
   * the API.
   */
  location: (() => string) | null
  /** Null: the model is defined in a file. */
  createdAtMs: number | null
  /** Undefined if the entry is disabled because of its violations. */
  definition: ModelDefinition | undefined
  /** The violations that disable the entry, each with its path in the entry. */
  violations: readonly FieldViolation[]
}

export interface MergedModels {
  /** Models in files come first, in their order. */
  entries: readonly ModelEntry[]
  /**
   * Violations in files, as sentences. If there are any, the caller must not use any of the models
   * in files.
   */
  fileViolations: readonly string[]
}

/**
 * Combines the models of files with the stored ones. A stored model is disabled if its ID equals or
 * resembles that of a built-in model, a file's model or an earlier stored model. A violation
 * in a stored model disables only that model.
 */
export function mergeModels(
  files: readonly ModelSource[],
  storedModels: ReadonlyMap<string, StoredModel>,
  builtInIds: readonly string[],
): MergedModels {
  const readResult = readModelDocuments(files, builtInIds)
  const ids = new UniqueIds(builtInIds)
  const entries = readResult.models.map(({ definition, document, location }): ModelEntry => {
    ids.claim(definition.id, location)
    return {
      id: definition.id,
      source: 'file',
      document: untypedDocument(document),
      location,
      createdAtMs: null,
      definition,
      violations: [],
    }
  })
  for (const [id, { document, createdAtMs }] of storedModels) {
    const { definition, violations } = readModelDocument(document)
    const conflict = definition === undefined ? null : ids.claim(id, () => 'a model that was set through the API')
    const allViolations = conflict === null ? violations : [{ path: ['id'], message: conflict }]
    entries.push({
      id,
      source: 'api',
      document,
      location: null,
      createdAtMs,
      definition: conflict === null ? definition : undefined,
      violations: allViolations,
    })
  }
  return { entries, fileViolations: readResult.violations }
}

function untypedDocument(document: ModelDocument): ModelEntry['document'] {
  return document as unknown as ModelEntry['document']
}
