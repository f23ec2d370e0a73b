import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAssets } from '../assets/assets.ts'
import { createAssetsForDrivers } from '../assets/assets-for-drivers.ts'
import { createApiKeys, type ApiKeys } from '../auth/api-keys.ts'
import { createBrands, type Brands } from '../brands/brands.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { defaultFamilies } from '../catalogue/default-families.ts'
import type { Config } from '../config/config.ts'
import { startLedgerCheck } from '../credits/ledger-check.ts'
import { createPrices } from '../credits/prices.ts'
import { lockDataFolder } from '../db/data-folder-lock.ts'
import { openStore } from '../db/open-store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Store } from '../db/store.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { ModelFacts } from '../dispatch/model-facts.ts'
import type { OperationChanged } from '../drivers/driver.ts'
import { openUpstreamTools } from '../drivers/upstream/upstream-tools.ts'
import { withOwnWatermark } from '../drivers/upstream/own-watermark.ts'
import { upstreamDrivers } from '../drivers/upstream-drivers.ts'
import { createApp } from '../http/app.ts'
import { createFetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { keepTicksQuick } from '../lib/keep-ticks-quick.ts'
import { createLogger } from '../lib/logger.ts'
import { StartupError } from '../lib/startup-error.ts'
import { createDecodePictureFile } from '../media/decode-picture-file.ts'
import { DecoderPool } from '../media/decoder/decoder-pool.ts'
import { createReadPicture } from '../media/read-picture.ts'
import { createUrlSigner } from '../media/sign-url.ts'
import { createCallbacks, createCallbackTokens } from '../routing/callbacks.ts'
import { createFrozenRoutes } from '../routing/frozen-routes.ts'
import { createOperatorRouting } from '../routing/operator-routing.ts'
import { Routes, type RoutesOptions } from '../routing/routes.ts'
import { openSeal, readSealKey, requireSameSeal } from '../routing/seal.ts'
import { createFindSlotPools } from '../routing/slot-pools.ts'
import { watchRoutingFile } from '../routing/watch-routing-file.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addStateMetrics } from '../telemetry/state-metrics.ts'
import { ensureFirstKey } from './first-key.ts'
import { ensureInstallation } from './installation.ts'
import { joinTraces } from './join-traces.ts'
import { listen } from './listen.ts'
import { modelFactsOf } from './model-facts-of.ts'
import { openEmbeddedDriver } from './open-embedded-driver.ts'
import { openMediaStore } from './open-media-store.ts'
import { openWork } from './open-work.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** How long a stop waits for running tasks; what has not ended by then goes on at the next start. */
const drainMs = 3_000

export interface ServerOptions {
  /** Called once when the service cannot go on; the caller closes it and ends the process. */
  onFatal?: (cause: Error) => void
  /** Instead of the embedded driver. */
  embedded?: RoutesOptions['embedded']
}

export interface RunningServer {
  /** Origin and base path: what clients call `{base_url}`. */
  baseUrl: string
  dataDir: string
  /** Only at the first start, and only when none was configured: shown once, stored nowhere. */
  newKey: string | null
  /** For a caller in the same process, who has no need of a key. */
  store: Store
  keys: ApiKeys
  brands: Brands
  /**
   * Stops accepting, lets running tasks end for a few seconds, and gives the rest back to the queue. First it waits for load balancers
   * (`shutdownDelaySeconds`), but not `immediately`: a service that is broken must take no further work.
   */
  close(how?: { immediately: boolean }): Promise<void>
}

/**
 * Joins the parts by hand, opens them in order, and closes them in reverse. Throws a `StartupError` for what a person can
 * put right.
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  try {
    return await openServer(config, options)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const message = 'The database cannot be reached any more: it went away during the start; start again when it answers.'
    throw new StartupError(message, { cause: error })
  }
}

async function openServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack()
  const logger = createLogger(config.logLevel)
  opened.use(lockDataFolder(config.dataDir))
  await keepTicksQuick()
  const metrics = createMetrics()
  const telemetry = await joinTraces(opened, metrics, config.traces, logger)
  const { store: openedStore, clock } = await openStore(config.database, config.dataDir)
  const store = opened.use(openedStore)
  const installation = await ensureInstallation(store, clock())
  const keys = opened.use(await createApiKeys(store, clock))
  const mediaStore = await openMediaStore(config, opened)
  const catalogue = createCatalogue(defaultFamilies)
  const prices = opened.use(await createPrices(store, catalogue, clock))
  const brands = opened.use(await createBrands(store, catalogue, clock))

  let dispatcher: Dispatcher | undefined
  const onChanged: OperationChanged = (attemptId) => dispatcher?.operationChanged(attemptId)
  const fetchUntrusted = createFetchUntrusted({ allowHosts: config.allowHosts })
  const decoders = opened.use(new DecoderPool({ log: logger }))
  const assets = await openAssets({
    query: store.query,
    mediaStore,
    fetchUntrusted,
    decodePictureFile: createDecodePictureFile(decoders),
    scratchDir: path.join(config.dataDir, 'scratch'),
    quota: config.assets,
    clock,
  })
  let origin = config.publicUrl ?? ''
  const signer = createUrlSigner({
    key: installation.urlSigningKey,
    publicUrl: () => origin,
    basePath: config.basePath,
    ttlSeconds: config.resultUrlTtlSeconds,
  })
  const isReachable = config.publicUrl !== null
  const assetsForDrivers = createAssetsForDrivers({ query: store.query, mediaStore, signer, isReachable, clock })
  const readPicture = createReadPicture({ fetchUntrusted, decoders, readAssetFile: (id) => assetsForDrivers.readFile(id) })
  const tokens = createCallbackTokens(installation.urlSigningKey)
  const seal = openSeal(config.sealKey?.reveal() ?? readSealKey(config.dataDir))
  if (config.database.kind === 'postgres') await requireSameSeal(store.query, seal)
  const drivers = upstreamDrivers.map(withOwnWatermark)
  const routes = opened.use(
    new Routes({
      store,
      frozen: createFrozenRoutes(store.query, seal, clock),
      findPools: createFindSlotPools(store.query),
      drivers,
      embedded: options.embedded ?? (await openEmbeddedDriver(opened, { config, clock, logger, onChanged, readPicture })),
      tools: openUpstreamTools(opened, {
        fetchUntrusted,
        assets: assetsForDrivers,
        keptFolder: path.join(config.dataDir, 'kept'),
        clock,
        operationChanged: onChanged,
        onExchange: telemetry.upstreamAnswered,
      }),
      // Without an address of his own the operator's service cannot be reached from outside.
      callbackUrl: (frozenNo, attempt) =>
        config.publicUrl === null
          ? null
          : `${config.publicUrl}${config.basePath}/callbacks/${frozenNo}/${attempt}/${tokens.of(String(frozenNo), attempt)}`,
      clock,
      logger,
    }),
  )
  const known = { drivers, modelIds: new Set(catalogue.models.map((model) => model.id)) }
  const routing = opened.use(await createOperatorRouting({ store, routes, file: config.routing, known, seal, clock, logger }))
  opened.use(watchRoutingFile(config.routing, { load: (file) => routing.useFile(file), logger }))
  const modelFacts = (modelId: string): ModelFacts | undefined => modelFactsOf(catalogue, prices, modelId)
  if (config.role !== 'api') {
    dispatcher = await openWork(opened, {
      config,
      store,
      routes,
      mediaStore,
      assets,
      modelFacts,
      telemetry,
      clock,
      logger,
    })
  }
  const ledgerCheck = opened.use(startLedgerCheck(store, { byItself: config.role !== 'api', clock, logger }))
  addStateMetrics(metrics.registry, { store, routes, ledgerCheck, clock, version: packageJson.version })

  let isClosing = false
  const app = await createApp({
    config,
    isClosing: () => isClosing,
    store,
    brands,
    catalogue,
    prices,
    keys,
    signer,
    mediaStore,
    routes,
    routing,
    callbacks: createCallbacks({ routes, tokens, onChanged: (attemptId) => store.tellNews(attemptId), logger }),
    origin: () => origin,
    assets,
    ledgerCheck,
    metrics: metrics.registry,
    telemetry,
    clock,
    nextTaskId: store.createTaskIds(clock),
    logger,
  })
  opened.defer(() => app.close())
  const address = await listen(app, config)
  if (origin === '') origin = address
  // After the last thing that can fail: a key that is made but never shown would be lost.
  const newKey = await ensureFirstKey(keys, store, installation.accountNo, config)
  dispatcher?.start()
  store.onFatal((cause) => {
    logger.fatal({ err: cause }, 'the service cannot go on')
    options.onFatal?.(cause)
  })

  const resources = opened.move()
  return {
    baseUrl: address + config.basePath,
    dataDir: config.dataDir,
    newKey,
    store,
    keys,
    brands,
    async close({ immediately } = { immediately: false }) {
      isClosing = true
      const delayMs = immediately ? 0 : config.shutdownDelaySeconds * 1000
      await Promise.all([sleep(delayMs).then(() => app.close()), dispatcher?.drain(drainMs)])
      await resources.disposeAsync()
    },
  }
}
