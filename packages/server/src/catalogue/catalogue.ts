import { compileRequestSchema } from './compile-request-schema.ts'
import type { Family, Model, ModelDefinition } from './model.ts'

/** The definitions in use, or the definitions that would be in use after a change. */
export interface DefinedModels {
  readonly models: readonly ModelDefinition[]
  find(modelId: string): ModelDefinition | undefined
}

/** Models in display order: all models of this installation, or the models that one brand shows. */
export interface Catalogue {
  readonly models: readonly Model[]
  /** Finds a model by its exact Model ID, byte for byte. */
  find(modelId: string): Model | undefined
  /**
   * Finds a model by its display name or title, ignoring case. Used only for suggestions in
   * messages.
   */
  findByName(name: string): Model | undefined
}

/** Creates the catalogue of the built-in models. */
export function createCatalogue(families: readonly Family[]): Catalogue {
  return catalogueOf(
    families.flatMap((family) =>
      family.models.map((definition): Model => ({
        ...definition,
        ...compileRequestSchema(definition.parameters),
        versionNo: null,
      })),
    ),
  )
}

export function catalogueOf(models: readonly Model[]): Catalogue {
  const byId = new Map<string, Model>()
  const byName = new Map<string, Model>()
  for (const model of models) {
    if (byId.has(model.id)) throw new Error(`two models have the ID '${model.id}'`)
    byId.set(model.id, model)
    for (const name of [model.displayName, model.title]) byName.set(name.toLowerCase(), model)
  }
  return {
    models,
    find: (modelId) => byId.get(modelId),
    findByName: (name) => byName.get(name.trim().toLowerCase()),
  }
}
