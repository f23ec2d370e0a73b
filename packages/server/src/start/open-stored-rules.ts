import { createApiKeys, type ApiKeys, type KeyStore } from '../auth/api-keys.ts'
import type { RequestBucket } from '../auth/request-bucket.ts'
import { createBrands, type Brands } from '../brands/brands.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { defaultFamilies } from '../catalogue/default-families.ts'
import { createOpenCatalogue, type OpenCatalogue } from '../catalogue/open-catalogue.ts'
import type { ModelFile } from '../config/model-files.ts'
import { createPrices, type Prices } from '../credits/prices.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { createOperatorModels, type OperatorModels } from '../models/operator-models.ts'

export interface StoredRulesDependencies {
  store: KeyStore
  /** The rate limiter's bucket of a key. Default: buckets of this thread. */
  bucketOf?: ((keyNo: number) => RequestBucket) | undefined
  files: readonly ModelFile[]
  clock: Clock
  logger: Logger
}

/** The keys, models, prices and brands that requests are checked against. */
export interface StoredRules {
  keys: ApiKeys
  catalogue: OpenCatalogue
  models: OperatorModels
  prices: Prices
  brands: Brands
}

/**
 * Loads the keys, models, prices and brands. Each thread that serves requests has them in memory.
 */
export async function openStoredRules(
  disposables: AsyncDisposableStack,
  { store, bucketOf, files, clock, logger }: StoredRulesDependencies,
): Promise<StoredRules> {
  const keys = disposables.use(await createApiKeys(store, clock, bucketOf))
  const catalogue = createOpenCatalogue(createCatalogue(defaultFamilies))
  const models = disposables.use(await createOperatorModels({ store, catalogue, files, clock, logger }))
  const prices = disposables.use(await createPrices(store, catalogue, clock))
  const brands = disposables.use(await createBrands(store, catalogue, clock))
  models.onChanged(() => brands.refresh())
  return { keys, catalogue, models, prices, brands }
}
