import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAssets } from '../assets/assets.ts'
import { createInspectFile } from '../assets/inspect-file.ts'
import { createAssetsForDrivers } from '../assets/assets-for-drivers.ts'
import type { ApiKeys } from '../auth/api-keys.ts'
import { SignInLinks } from '../auth/sign-in-links.ts'
import type { Brands } from '../brands/brands.ts'
import type { Config } from '../config/config.ts'
import type { RoutingFile } from '../config/routing-file.ts'
import { startLedgerCheck } from '../credits/ledger-check.ts'
import { lockDataFolder } from '../db/data-folder-lock.ts'
import { SharedBuckets } from '../auth/request-bucket.ts'
import { TaskChanges } from '../db/task-changes.ts'
import { requireSameMediaStore } from '../db/media-location.ts'
import { openStore } from '../db/open-store.ts'
import { withDatabaseName } from '../db/sqlite/unusable-database.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { Store } from '../db/store.ts'
import { createMainStore } from '../db/thread-store.ts'
import { createAccountErasure } from '../deletion/account-erasure.ts'
import { createTaskDeletion } from '../deletion/task-deletion.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { Forwarding } from '../forwarding/forwarding.ts'
import { startEventDistribution } from '../events/distribute-events.ts'
import { createEventData } from '../events/event-data.ts'
import { createFeeds } from '../events/feed.ts'
import type { OperationChanged } from '../drivers/driver.ts'
import { openUpstreamTools } from '../drivers/upstream/upstream-tools.ts'
import { withOwnWatermark } from '../drivers/upstream/own-watermark.ts'
import { upstreamDrivers } from '../drivers/upstream-drivers.ts'
import { createApp } from '../http/app.ts'
import { connectionGraceMs as defaultGraceMs } from '../http/connections/drain-connections.ts'
import { IncomingMemory } from '../http/bodies/incoming-memory.ts'
import { defaultLimits, limitsOfThread } from '../http/limits.ts'
import { consolePath } from '../http/console/console-paths.ts'
import { ExpiryClock } from '../credits/expiry-clock.ts'
import { createRequireAllowedAddress } from '../lib/guarded-fetch/guarded-channel.ts'
import { createFetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { keepNextTickFast } from '../lib/keep-next-tick-fast.ts'
import { workFields } from '../identity/current-work.ts'
import { createLogger } from '../lib/logger.ts'
import { LogTail } from '../lib/log-tail.ts'
import { DataFolderLost, StartupError } from '../lib/startup-error.ts'
import { createDecodeImageFile } from '../media/decode-image-file.ts'
import { DecoderPool } from '../media/decoder/decoder-pool.ts'
import { PreviewEncoders } from '../media/previews/preview-encoder.ts'
import { createInputProbers } from '../media/prober/input-probers.ts'
import { ProberPool } from '../media/prober/prober-pool.ts'
import { hasVideoDecoder } from '../media/video-frames/ffmpeg-decoder.ts'
import { createOpenInputSound } from '../media/video-frames/open-input-sound.ts'
import { createOpenInputVideo } from '../media/video-frames/open-input-video.ts'
import { createReadImage } from '../media/read-image.ts'
import { createUrlSigner } from '../media/sign-url.ts'
import { createModelImporter } from '../importing/model-importer.ts'
import { Previews } from '../previews/previews.ts'
import { bucketCheckMs, createReadiness, diskCheckMs } from '../readiness/readiness.ts'
import { createCallbacks, createCallbackTokens } from '../routing/callbacks.ts'
import type { RoutesDependencies } from '../routing/routes.ts'
import { createEncryption, readEncryptionKey, requireSameEncryptionKey } from '../routing/encryption.ts'
import { watchRoutingFile } from '../routing/watch-routing-file.ts'
import type { Deliverer } from '../webhooks/deliverer.ts'
import { createWebhookRemoval } from '../webhooks/remove-webhooks.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createEffectiveModels } from '../tasks/effective-models.ts'
import { createTaskViews } from '../tasks/task-view.ts'
import { modelsForRouting } from '../tasks/models-for-routing.ts'
import type { HttpThreadData } from '../threads/http-thread-methods.ts'
import { HttpThreads } from '../threads/http-threads.ts'
import { packConfig } from '../threads/packed-config.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addStateMetrics } from '../telemetry/state-metrics.ts'
import { checkVideoEncoder, createRequireVideoEncoder } from './check-video-encoder.ts'
import { ensureBootstrapKey, issueFirstKey } from './first-key.ts'
import { ensureInstallation } from './installation.ts'
import { joinTraces } from './join-traces.ts'
import { listen } from './listen.ts'
import { createConsoleServices } from './console-services.ts'
import { createSignInLink } from './sign-in-link.ts'
import { createFindModelFacts } from './model-facts-of.ts'
import { openRouting } from './open-routing.ts'
import { requireOpenFiles } from './require-open-files.ts'
import { openStoredRules } from './open-stored-rules.ts'
import { openEmbeddedDriver } from './open-embedded-driver.ts'
import { openMediaStore } from './open-media-store.ts'
import { startBackgroundWork } from './background-work.ts'
import { createWatermarkDesigns } from './watermark-designs.ts'
import { countUndecryptable, undecryptableSecretsMessage } from '../webhooks/undecryptable-secrets.ts'
import packageJson from '../../package.json' with { type: 'json' }

/**
 * Maximum time for which a shutdown waits for renders in this process and for results that are being
 * collected. A task whose job runs at an upstream is released immediately. Unfinished tasks continue
 * after the next start.
 */
const drainMs = 3_000

const dataFolderLostMessage =
  'another service has taken over the data folder: this service shuts down and must not be restarted automatically; make sure ' +
  'that only one service uses the folder'

export interface ServerOptions {
  /** Called once if the service cannot continue. The caller must close it and end the process. */
  onFatal?: (cause: Error) => void
  /** Whether the database is a restored copy, whose unfinished tasks are put on hold. */
  isRestored?: boolean
  /** Replaces the embedded driver. */
  embedded?: RoutesDependencies['embedded']
}

export interface RunningServer {
  /** Origin and base path: the `{base_url}` of clients. */
  baseUrl: string
  dataDir: string
  /**
   * The API key that the first start creates if no key is configured. It is shown once, and only
   * its digest is stored. Otherwise null.
   */
  newKey: string | null
  /** Address of the console. Null: it is disabled. */
  consoleUrl: string | null
  /**
   * Creates a one-time sign-in link to the console for an operator. Null: there is no console or no
   * key.
   */
  createSignInLink(): Promise<string | null>
  /** The store, for callers in the same process, which need no API key. */
  store: Store
  keys: ApiKeys
  brands: Brands
  /**
   * Shuts the service down. The service accepts requests for another `shutdownDelaySeconds`, until
   * load balancers have noticed the shutdown. Meanwhile, it drains the dispatcher, which returns
   * unfinished tasks to the queue. With `immediately`, the service stops accepting requests at once,
   * because a broken service must not accept further work.
   */
  close(options?: { immediately: boolean }): Promise<void>
}

/**
 * Creates the parts of the service in the order of their dependencies. They are closed in reverse
 * order. Throws a `StartupError` for problems that an operator can fix.
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  try {
    return await openServer(config, options)
  } catch (error) {
    if (config.database.kind === 'sqlite') {
      const describedError = withDatabaseName(path.join(config.dataDir, 'framegate.db'), error)
      if (describedError !== error) throw describedError
    }
    if (!(error instanceof StoreUnavailable)) throw error
    const message =
      error.reason === null
        ? 'The connection to the database was lost during start-up. Start the service again when the database responds.'
        : `The database could not be read or written during start-up (${error.reason}). Check its disk and free space, and ` +
          'start the service again.'
    throw new StartupError(message, { cause: error })
  }
}

async function openServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  requireOpenFiles()
  await using disposables = new AsyncDisposableStack()
  const logTail = new LogTail()
  const logger = createLogger(config.logLevel, workFields, logTail)
  const scratchDir = path.join(config.dataDir, 'scratch')
  const lock = disposables.use(lockDataFolder(config.dataDir))
  await keepNextTickFast()
  const metrics = createMetrics()
  const telemetry = await joinTraces(disposables, metrics, config.traces, logger)
  const taskChanges = new TaskChanges()
  const { store: openedStore, clock } = await openStore(config.database, {
    dataDir: config.dataDir,
    logger,
    isRestored: options.isRestored === true,
    taskChanges,
  })
  const store = disposables.use(openedStore)
  const expiry = disposables.use(new ExpiryClock({ clock, newestRecordMs: await store.readNewestTaskMs(), logger }))
  store.setExpiryClock(expiry.now)
  let isStopping = false
  const stop = (cause: Error): void => {
    if (isStopping) return
    isStopping = true
    const isLost = cause instanceof DataFolderLost
    logger.fatal({ err: cause }, isLost ? dataFolderLostMessage : 'the service cannot continue')
    options.onFatal?.(cause)
  }
  lock.watch({ files: config.database.kind === 'sqlite' ? ['framegate.db'] : [], onLost: stop, logger })
  const installation = await ensureInstallation(store, clock())
  const buckets = config.threads > 1 ? new SharedBuckets() : null
  const incomingMemory = new IncomingMemory(defaultLimits.incomingBytesMax)
  const rules = await openStoredRules(disposables, {
    store,
    ...(buckets && { bucketOf: (keyNo: number) => buckets.get(keyNo) }),
    files: config.routing.models,
    clock,
    logger,
  })
  const { keys, catalogue, models, prices, brands } = rules
  const mediaStore = await openMediaStore(config, disposables)

  let dispatcher: Dispatcher | undefined
  const onChanged: OperationChanged = (attemptId) => dispatcher?.operationChanged(attemptId)
  const fetchUntrusted = createFetchUntrusted({ allowHosts: config.allowHosts })
  const decoders = disposables.use(new DecoderPool({ log: logger }))
  const decodeImageFile = createDecodeImageFile(decoders)
  const inputProbers = disposables.use(createInputProbers(logger))
  const assets = await openAssets({
    database: store.database,
    mediaStore,
    fetchUntrusted,
    inspectFile: createInspectFile({ decodeImageFile, probeInput: inputProbers.probeInput }),
    scratchDir,
    quota: config.assets,
    clock,
    expiryClock: expiry.now,
  })
  const { probe: probeUntrustedFile } = disposables.use(new ProberPool({ log: logger }))
  const encoders = disposables.use(new PreviewEncoders(logger))
  const previews = disposables.use(
    await Previews.open({ store, mediaStore, encoders, probeUntrustedFile, scratchDir, clock, logger }),
  )
  const localResultsFolder = path.join(config.dataDir, 'kept')
  const deletion = createTaskDeletion({ store, mediaStore, localResultsFolder, telemetry, clock, logger })
  const webhookRemoval = createWebhookRemoval({ store, retentionMs: config.deliveryRetentionSeconds * 1000, clock: expiry.now })
  const erasure = createAccountErasure({ store, deletion, assets, webhooks: webhookRemoval, clock, logger })
  let origin = config.publicUrl ?? ''
  const signer = createUrlSigner({
    key: installation.urlSigningKey,
    publicUrl: () => origin,
    basePath: config.basePath,
    ttlSeconds: config.resultUrlTtlSeconds,
  })
  const isReachable = config.publicUrl !== null
  const assetsForDrivers = createAssetsForDrivers({ database: store.database, mediaStore, signer, isReachable, clock })
  const readImage = createReadImage({ fetchUntrusted, decoders, readAssetFile: (id) => assetsForDrivers.readFile(id) })
  const inputFiles = {
    fetchUntrusted,
    openAssetFile: (id: string) => assetsForDrivers.openFile(id),
    probeInput: inputProbers.probeInput,
    scratchDir,
  }
  const openVideo = createOpenInputVideo({ ...inputFiles, decodeImageFile })
  const openSound = createOpenInputSound(inputFiles)
  const tokens = createCallbackTokens(installation.urlSigningKey)
  const encryption = createEncryption(config.encryptionKey?.reveal() ?? readEncryptionKey(config.dataDir))
  if (config.database.kind === 'postgres') {
    await requireSameEncryptionKey(store.database, encryption)
    await requireSameMediaStore(store, config)
  } else {
    const undecryptable = await countUndecryptable(store.database, encryption)
    if (undecryptable.webhooks > 0 || undecryptable.accounts > 0) logger.error(undecryptable, undecryptableSecretsMessage)
  }
  let deliverer: Deliverer | undefined
  const webhooks = createWebhooks({
    store,
    encryption,
    allowHosts: config.allowHosts,
    requireAllowedAddress: createRequireAllowedAddress(config),
    onDue: () => deliverer?.wake(),
    clock,
  })
  disposables.use(startEventDistribution(store, logger))
  const views = createTaskViews({
    signer,
    resultUrlTtlSeconds: config.resultUrlTtlSeconds,
    hasThumbnail: (result) => previews.canCreate(result, 'thumbnail'),
    clock,
  })
  const eventData = createEventData({ store, views, brands, clock })
  const drivers = upstreamDrivers.map((driver) => withOwnWatermark(driver, createRequireVideoEncoder(config, logger)))
  const tools = openUpstreamTools(disposables, {
    fetchUntrusted,
    decodeImageFile,
    assets: assetsForDrivers,
    localResultsFolder,
    clock,
    operationChanged: onChanged,
    onExchange: telemetry.upstreamResponded,
  })
  const { routes, routing, useFile } = await openRouting(disposables, {
    config,
    store,
    catalogue,
    models,
    encryption,
    drivers,
    tools,
    embedded:
      options.embedded ??
      (await openEmbeddedDriver(disposables, { config, clock, logger, onChanged, readImage, openVideo, openSound })),
    // Null without a configured public address, because upstreams could not reach this service.
    callbackUrl: (snapshotNo, attempt) =>
      config.publicUrl === null
        ? null
        : `${config.publicUrl}${config.basePath}/callbacks/${snapshotNo}/${attempt}/${tokens.create(String(snapshotNo), attempt)}`,
    clock,
    logger,
  })
  let httpThreads: HttpThreads | null = null
  const useChangedFile = async (file: RoutingFile): Promise<void> => {
    await useFile(file)
    await httpThreads?.useFile(file)
  }
  const findModelFacts = createFindModelFacts(catalogue, models, prices)
  if (config.role !== 'api') {
    await checkVideoEncoder(config, routing, logger)
    if (!hasVideoDecoder()) {
      logger.info(
        'There is no ffmpeg on PATH: the embedded driver does not accept input videos and sound, and videos of upstreams have ' +
          'no thumbnails.',
      )
    }
    const work = await startBackgroundWork(disposables, {
      config,
      store,
      routes,
      mediaStore,
      probeUntrustedFile,
      previews,
      assets,
      erasure,
      webhooks,
      webhookRemoval,
      eventData,
      localResultsFolder,
      findModelFacts,
      findWatermarkDesign: createWatermarkDesigns(brands),
      telemetry,
      clock,
      expiryClock: expiry.now,
      logger,
    })
    ;({ dispatcher, deliverer } = work)
  }
  const ledgerCheck = disposables.use(startLedgerCheck(store, { isPeriodic: config.role !== 'api', clock, logger }))
  addStateMetrics(metrics.registry, { store, routes, ledgerCheck, clock, expiry, version: packageJson.version })

  const nextTaskId = store.createTaskIds(clock)
  const forwarding = disposables.use(
    new Forwarding(
      { store, routes, prices, nextTaskId, clock, logger },
      { drainMs: config.chat.readOnSeconds * 1000, slotWaitMs: config.chat.waitSeconds * 1000 },
    ),
  )

  const links = new SignInLinks(clock)
  const hasConsole = config.console && config.role !== 'worker'

  let isClosing = false
  let graceMs = defaultGraceMs
  const app = await createApp(
    {
      config,
      isClosing: () => isClosing,
      connectionGraceMs: () => graceMs,
      threads: {
        applyConfigChanges: async () => httpThreads?.applyConfigChanges(),
        drain: async (connectionGraceMs) => httpThreads?.drain(connectionGraceMs),
      },
      incomingMemory,
      readiness: createReadiness({
        store,
        mediaStore,
        mediaCheckMs: config.media.kind === 's3' ? bucketCheckMs : diskCheckMs,
        scratchDir,
        logger,
      }),
      store,
      brands,
      catalogue,
      models,
      importer: createModelImporter({
        models,
        routing,
        routingContextOf: (newModels) => modelsForRouting(newModels, drivers),
        fetchUntrusted,
        call: tools.call,
      }),
      webhooks,
      feeds: disposables.use(createFeeds(store, eventData, clock)),
      prices,
      keys,
      console: hasConsole ? createConsoleServices({ store, installation, media: config.media, links, clock }) : null,
      signer,
      mediaStore,
      previews,
      routes,
      effectiveModels: createEffectiveModels(routes),
      routing,
      callbacks: createCallbacks({ routes, tokens, onChanged: (attemptId) => store.notifyAttempt(attemptId), logger }),
      origin: () => origin,
      assets,
      decodeImageFile,
      deletion,
      erasure,
      ledgerCheck,
      metrics: {
        contentType: metrics.registry.contentType,
        metrics: () => httpThreads?.metricsWith(metrics.registry) ?? metrics.registry.metrics(),
      },
      telemetry,
      clock,
      nextTaskId,
      forwarding,
      logger,
      logTail,
    },
    limitsOfThread(config.threads),
  )
  disposables.defer(() => app.close())
  // The configured key must be valid before the first request, because clients already have it.
  await ensureBootstrapKey(keys, installation.accountNo, config)
  const address = await listen(app, config)
  if (origin === '') origin = address
  if (buckets !== null) {
    // Loaded only if there are several threads, because the module imports node:http, which also
    // loads Node's fetch and takes 10 ms.
    const { PassedRequests } = await import('../http/threads/passed-requests.ts')
    const passedRequests = disposables.use(await PassedRequests.open(app))
    httpThreads = disposables.use(
      await HttpThreads.start({
        count: config.threads - 1,
        data: {
          config: packConfig(config),
          address: addressOf(app.server),
          passTarget: passedRequests.target,
          urlSigningKey: installation.urlSigningKey,
          origin,
          buckets: buckets.memory,
          taskChanges: taskChanges.memory,
          incomingMemory: incomingMemory.memory,
        },
        methods: {
          ...createMainStore(store, nextTaskId),
          factsOfAsset: (accountNo, id) => assets.factsOfAsset(accountNo, id),
          factsOfSource: (...parameters) => assets.factsOfSource(...parameters),
          addLogLine: async (line) => logTail.add(line),
        },
        onFatal: stop,
      }),
    )
  }
  // The threads start with the file as it was read, so the watch begins when they have started.
  disposables.use(watchRoutingFile(config.routing, { load: useChangedFile, logger }))
  // Created after the last step that can fail, because a key that is never shown would be lost.
  const newKey = config.bootstrapKey === null ? await issueFirstKey(keys, store, installation.accountNo) : null
  dispatcher?.start()
  deliverer?.start()
  store.onFatal(stop)

  const consoleUrl = hasConsole ? `${address}${consolePath}` : null
  const resources = disposables.move()
  return {
    baseUrl: address + config.basePath,
    dataDir: config.dataDir,
    newKey,
    consoleUrl,
    createSignInLink: () => createSignInLink({ consoleUrl, links, store, accountNo: installation.accountNo, clock }),
    store,
    keys,
    brands,
    async close({ immediately } = { immediately: false }) {
      isClosing = true
      if (immediately) graceMs = 0
      const delayMs = immediately ? 0 : config.shutdownDelaySeconds * 1000
      await Promise.all([sleep(delayMs).then(() => app.close()), dispatcher?.drain(drainMs)])
      await resources.disposeAsync()
    },
  }
}

function addressOf(server: Server): HttpThreadData['address'] {
  const { address: host, port } = server.address() as AddressInfo
  return { host, port }
}
