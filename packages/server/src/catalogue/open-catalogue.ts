import { catalogueOf, type Catalogue } from './catalogue.ts'
import type { Model } from './model.ts'

/**
 * Every model that this installation knows, whether or not a brand shows it: the built-in ones, and
 * those that operators define while the service runs.
 */
export interface OpenCatalogue extends Catalogue {
  /** All current models. The object is immutable: each change replaces it by another one. */
  readonly current: Catalogue
  /** Replaces the models of operators. */
  define(models: readonly Model[]): void
}

export function createOpenCatalogue(builtIn: Catalogue): OpenCatalogue {
  let current = builtIn
  return {
    get current() {
      return current
    },
    get models() {
      return current.models
    },
    find: (modelId) => current.find(modelId),
    findByName: (name) => current.findByName(name),
    define(models) {
      current = models.length === 0 ? builtIn : catalogueOf([...builtIn.models, ...models])
    },
  }
}
