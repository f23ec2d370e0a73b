import path from 'node:path'
import type { RequestBucket } from '../auth/request-bucket.ts'
import type { Config } from '../config/config.ts'
import type { ExpiryClock } from '../credits/expiry-clock.ts'
import { requireSameMediaStore } from '../db/media-location.ts'
import type { Store } from '../db/store.ts'
import { createAccountErasure } from '../deletion/account-erasure.ts'
import { createTaskDeletion } from '../deletion/task-deletion.ts'
import type { OperationChanged } from '../drivers/driver.ts'
import { openUpstreamTools } from '../drivers/upstream/upstream-tools.ts'
import { withOwnWatermark } from '../drivers/upstream/own-watermark.ts'
import { upstreamDrivers } from '../drivers/upstream-drivers.ts'
import { startEventDistribution } from '../events/distribute-events.ts'
import { createEventData } from '../events/event-data.ts'
import type { Clock } from '../lib/clock.ts'
import { createRequireAllowedAddress } from '../lib/guarded-fetch/guarded-channel.ts'
import { createFetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import type { Logger } from '../lib/logger.ts'
import { createUrlSigner } from '../media/sign-url.ts'
import { createCallbackTokens } from '../routing/callbacks.ts'
import type { RoutesDependencies } from '../routing/routes.ts'
import { createTaskViews } from '../tasks/task-view.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { createWebhookRemoval } from '../webhooks/remove-webhooks.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { startBackgroundWork, type BackgroundWork } from './background-work.ts'
import { checkVideoEncoder, createRequireVideoEncoder, logMissingVideoDecoder } from './check-video-programs.ts'
import { createDriverInputs } from './driver-inputs.ts'
import type { Installation } from './installation.ts'
import { createFindModelFacts } from './model-facts-of.ts'
import { openEmbeddedDriver } from './open-embedded-driver.ts'
import { openEncryption } from './open-encryption.ts'
import { openFiles } from './open-files.ts'
import { openRouting } from './open-routing.ts'
import { openStoredRules } from './open-stored-rules.ts'
import type { ServiceState } from './service-state.ts'
import { createWatermarkDesigns } from './watermark-designs.ts'

export interface ServicesDependencies {
  config: Config
  state: ServiceState
  store: Store
  installation: Installation
  /** The rate limiter's bucket of a key. Default: buckets of this thread. */
  bucketOf: ((keyNo: number) => RequestBucket) | undefined
  scratchDir: string
  /** Replaces the embedded driver. */
  embedded: RoutesDependencies['embedded'] | undefined
  telemetry: Telemetry
  clock: Clock
  expiry: ExpiryClock
  logger: Logger
}

export type Services = Awaited<ReturnType<typeof openServices>>

/**
 * Opens the services behind the HTTP server: keys and models, files, webhooks, drivers and routes,
 * and, unless the process only serves HTTP, the background work. The dispatcher and the deliverer
 * do not run yet.
 */
export async function openServices(disposables: AsyncDisposableStack, dependencies: ServicesDependencies) {
  const { config, state, store, installation, bucketOf, scratchDir, telemetry, clock, expiry, logger } = dependencies
  let work: BackgroundWork | null = null
  const onChanged: OperationChanged = (attemptId) => work?.dispatcher.operationChanged(attemptId)

  const rules = await openStoredRules(disposables, { store, bucketOf, files: config.routing.models, clock, logger })
  const { catalogue, models, prices, brands } = rules
  const fetchUntrusted = createFetchUntrusted({ allowHosts: config.allowHosts })
  const expiryClock = expiry.now
  const files = await openFiles(disposables, { config, store, fetchUntrusted, scratchDir, clock, expiryClock, logger })
  const { mediaStore, assets, previews, decodeImageFile, probeUntrustedFile } = files

  const localResultsFolder = path.join(config.dataDir, 'kept')
  const deletion = createTaskDeletion({ store, mediaStore, localResultsFolder, telemetry, clock, logger })
  const webhookRemoval = createWebhookRemoval({
    store,
    retentionMs: config.deliveryRetentionSeconds * 1000,
    clock: expiryClock,
  })
  const erasure = createAccountErasure({ store, deletion, assets, webhooks: webhookRemoval, clock, logger })

  const encryption = await openEncryption(config, store, logger)
  if (config.database.kind === 'postgres') await requireSameMediaStore(store, config)
  const signer = createUrlSigner({
    key: installation.urlSigningKey,
    publicUrl: () => state.origin,
    basePath: config.basePath,
    ttlSeconds: config.resultUrlTtlSeconds,
  })
  const webhooks = createWebhooks({
    store,
    encryption,
    allowHosts: config.allowHosts,
    requireAllowedAddress: createRequireAllowedAddress(config),
    onDue: () => work?.deliverer.wake(),
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

  const isReachable = config.publicUrl !== null
  const inputs = createDriverInputs({ store, files, fetchUntrusted, signer, isReachable, scratchDir, clock })
  const drivers = upstreamDrivers.map((driver) => withOwnWatermark(driver, createRequireVideoEncoder(config, logger)))
  const tools = openUpstreamTools(disposables, {
    fetchUntrusted,
    decodeImageFile,
    assets: inputs.assets,
    localResultsFolder,
    clock,
    operationChanged: onChanged,
    onExchange: telemetry.upstreamResponded,
  })
  const callbackTokens = createCallbackTokens(installation.urlSigningKey)
  const { routes, routing, useFile } = await openRouting(disposables, {
    config,
    store,
    catalogue,
    models,
    encryption,
    drivers,
    tools,
    embedded: dependencies.embedded ?? (await openEmbeddedDriver(disposables, { config, clock, logger, onChanged, ...inputs })),
    // Null without a configured public address, because upstreams could not reach this service.
    callbackUrl: (snapshotNo, attempt) =>
      config.publicUrl === null
        ? null
        : `${config.publicUrl}${config.basePath}/callbacks/${snapshotNo}/${attempt}/${callbackTokens.create(String(snapshotNo), attempt)}`,
    clock,
    logger,
  })

  if (config.role !== 'api') {
    await checkVideoEncoder(config, routing, logger)
    logMissingVideoDecoder(logger)
    work = await startBackgroundWork(disposables, {
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
      findModelFacts: createFindModelFacts(catalogue, models, prices),
      findWatermarkDesign: createWatermarkDesigns(brands),
      telemetry,
      clock,
      expiryClock,
      logger,
    })
  }
  return {
    ...rules,
    ...files,
    fetchUntrusted,
    deletion,
    erasure,
    signer,
    webhooks,
    eventData,
    drivers,
    tools,
    callbackTokens,
    routes,
    routing,
    useFile,
    work,
  }
}
