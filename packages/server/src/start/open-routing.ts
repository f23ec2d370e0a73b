import type { OpenCatalogue } from '../catalogue/open-catalogue.ts'
import type { Config } from '../config/config.ts'
import type { RoutingFile } from '../config/routing-file.ts'
import { embeddedTextsOf } from '../drivers/embedded/embedded-texts.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { OperatorModels } from '../models/operator-models.ts'
import type { Encryption } from '../routing/encryption.ts'
import {
  createOperatorRouting,
  type OperatorRouting,
  type OperatorRoutingDependencies,
} from '../routing/configuration/operator-routing.ts'
import { createRouteSnapshots } from '../routing/route-snapshots.ts'
import { Routes, type RoutesDependencies } from '../routing/routes.ts'
import { createFindSlotPools } from '../routing/slot-pools.ts'
import { modelsForRouting } from '../tasks/models-for-routing.ts'

export interface RoutingDependencies extends Pick<RoutesDependencies, 'drivers' | 'tools' | 'embedded' | 'callbackUrl'> {
  config: Pick<Config, 'routing'>
  store: RoutesDependencies['store'] & OperatorRoutingDependencies['store']
  catalogue: OpenCatalogue
  models: OperatorModels
  encryption: Encryption
  clock: Clock
  logger: Logger
}

export interface OpenedRouting {
  routes: Routes
  routing: OperatorRouting
  /** Uses a changed routing file. Rejects with a `ConfigError` if the file cannot be used. */
  useFile: (file: RoutingFile) => Promise<void>
}

/**
 * Opens the routes to upstreams: those of the routing file, and those that operators have stored.
 */
export async function openRouting(disposables: AsyncDisposableStack, dependencies: RoutingDependencies): Promise<OpenedRouting> {
  const { config, store, catalogue, models, encryption, drivers, tools, embedded, callbackUrl, clock, logger } = dependencies
  const routes = disposables.use(
    new Routes({
      store,
      snapshots: createRouteSnapshots(store.database, encryption, clock),
      findPools: createFindSlotPools(store.database),
      drivers,
      embedded,
      isEmbeddedText: embeddedTextsOf(catalogue),
      tools,
      callbackUrl,
      clock,
      logger,
    }),
  )
  const routing = disposables.use(
    await createOperatorRouting({
      store,
      routes,
      file: config.routing,
      context: modelsForRouting(catalogue, drivers),
      encryption,
      clock,
      logger,
    }),
  )
  models.onChanged(() => routing.refresh())
  return {
    routes,
    routing,
    async useFile(file) {
      const preparedModels = await models.prepareFiles(file.models)
      await routing.useFile(file, modelsForRouting(preparedModels.models, drivers))
      await preparedModels.use()
    },
  }
}
