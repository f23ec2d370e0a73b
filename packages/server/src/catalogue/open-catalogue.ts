import { catalogueOf, type Catalogue } from './catalogue.ts'
import type { Model } from './model.ts'

/**
 * Every model of this installation: the built-in models, and the models that operators define. The
 * models of operators may change while the service runs. The catalogue includes models that no
 * brand shows.
 */
export interface OpenCatalogue extends Catalogue {
  /** All current models. The object is immutable. Each change replaces it with a new object. */
  readonly current: Catalogue
  /** Replaces all models that operators define. */
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
