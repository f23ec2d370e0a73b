import path from 'node:path'
import type { AssetsForDrivers } from '../src/assets/assets-for-drivers.ts'
import type { Catalogue, DefinedModels } from '../src/catalogue/catalogue.ts'
import { noRoutingFile } from '../src/config/routing-file.ts'
import type { Store } from '../src/db/store.ts'
import type { Driver } from '../src/drivers/driver.ts'
import { embeddedTextsOf } from '../src/drivers/embedded/embedded-texts.ts'
import { withOwnWatermark } from '../src/drivers/upstream/own-watermark.ts'
import { decodeInProcess } from './decode-in-process.ts'
import { openUpstreamTools } from '../src/drivers/upstream/upstream-tools.ts'
import { upstreamDrivers } from '../src/drivers/upstream-drivers.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { FetchUntrusted } from '../src/lib/guarded-fetch/fetch-untrusted.ts'
import type { Logger } from '../src/lib/logger.ts'
import type { RoutingContext } from '../src/routing/configuration/load-routing.ts'
import { createRouteSnapshots } from '../src/routing/route-snapshots.ts'
import { createOperatorRouting, type OperatorRouting } from '../src/routing/configuration/operator-routing.ts'
import { Routes } from '../src/routing/routes.ts'
import { createEncryption, readEncryptionKey } from '../src/routing/encryption.ts'
import { modelsForRouting } from '../src/tasks/models-for-routing.ts'
import { createFindSlotPools } from '../src/routing/slot-pools.ts'

export interface RoutingDependencies {
  dataDir: string
  store: Store
  fetchUntrusted: FetchUntrusted
  assets: AssetsForDrivers
  catalogue: Catalogue
  clock: Clock
  logger: Logger
}

const drivers = upstreamDrivers.map((driver) => withOwnWatermark(driver, async () => {}))

/** Returns the routing context for `models`: the models and drivers that routes may refer to. */
export function routingContextOf(models: DefinedModels): RoutingContext {
  return modelsForRouting(models, drivers)
}

/** Opens routing as the service does, but with an embedded driver that throws when it is called. */
export async function openRouting(
  resources: AsyncDisposableStack,
  { dataDir, store, fetchUntrusted, assets, catalogue, clock, logger }: RoutingDependencies,
): Promise<{ routes: Routes; routing: OperatorRouting }> {
  const encryption = createEncryption(readEncryptionKey(dataDir))
  const localResultsFolder = path.join(dataDir, 'kept')
  const routes = resources.use(
    new Routes({
      store,
      snapshots: createRouteSnapshots(store.database, encryption, clock),
      findPools: createFindSlotPools(store.database),
      drivers,
      embedded: { driver: unusedDriver, inFlightMax: 2 },
      isEmbeddedText: embeddedTextsOf(catalogue),
      tools: openUpstreamTools(resources, {
        fetchUntrusted,
        decodeImageFile: decodeInProcess,
        assets,
        localResultsFolder,
        clock,
        operationChanged: () => {},
        onExchange: () => {},
      }),
      callbackUrl: () => null,
      clock,
      logger,
    }),
  )
  const file = noRoutingFile(dataDir)
  const options = { store, routes, file, context: routingContextOf(catalogue), encryption, clock, logger }
  return { routes, routing: resources.use(await createOperatorRouting(options)) }
}

const failOnCall = (): never => {
  throw new Error('the embedded driver must not be called in this test')
}

const unusedDriver: Driver = {
  name: 'embedded',
  isStartIdempotent: true,
  start: failOnCall,
  poll: failOnCall,
  fetchOutput: failOnCall,
  async [Symbol.asyncDispose]() {},
}
