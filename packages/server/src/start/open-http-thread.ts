import path from 'node:path'
import { TaskChanges } from '../db/task-changes.ts'
import { SharedBuckets } from '../auth/request-bucket.ts'
import { openSqliteThreadStore } from '../db/open-store.ts'
import type { Driver } from '../drivers/driver.ts'
import { createRefuseInputs } from '../drivers/embedded/refuse-inputs.ts'
import { withOwnWatermark } from '../drivers/upstream/own-watermark.ts'
import { openUpstreamTools } from '../drivers/upstream/upstream-tools.ts'
import { upstreamDrivers } from '../drivers/upstream-drivers.ts'
import { IncomingMemory } from '../http/bodies/incoming-memory.ts'
import { createIsAllowedHost } from '../http/is-allowed-host.ts'
import { defaultLimits, limitsOfThread } from '../http/limits.ts'
import { RequestPasser } from '../http/threads/pass-requests.ts'
import { createTaskApp } from '../http/threads/task-app.ts'
import { workFields } from '../identity/current-work.ts'
import { systemClock } from '../lib/clock.ts'
import { createFetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { createRequireAllowedAddress } from '../lib/guarded-fetch/guarded-channel.ts'
import { keepNextTickFast } from '../lib/keep-next-tick-fast.ts'
import { createLogger } from '../lib/logger.ts'
import { createUrlSigner } from '../media/sign-url.ts'
import { hasVideoDecoder } from '../media/video-frames/ffmpeg-decoder.ts'
import { canCreateThumbnail } from '../previews/can-create-thumbnail.ts'
import { createEncryption, readEncryptionKey } from '../routing/encryption.ts'
import { createEffectiveModels } from '../tasks/effective-models.ts'
import { createTaskViews } from '../tasks/task-view.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import type { HttpThreadData, HttpThreadMethods, MainMethods } from '../threads/http-thread-methods.ts'
import { unpackConfig, unpackRoutingFile } from '../threads/packed-config.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createRequireVideoEncoder } from './check-video-programs.ts'
import { listenAt } from './listen.ts'
import { joinTraces } from './join-traces.ts'
import { openRouting } from './open-routing.ts'
import { openStoredRules } from './open-stored-rules.ts'

/** Creates the part of the service that runs in an HTTP thread. The thread does not listen yet. */
export async function openHttpThread(data: HttpThreadData, main: MainMethods): Promise<HttpThreadMethods> {
  await using disposables = new AsyncDisposableStack()
  const config = unpackConfig(data.config)
  const clock = systemClock
  const logger = createLogger(config.logLevel, workFields, { add: (line) => void main.addLogLine(line).catch(() => undefined) })
  await keepNextTickFast()
  const metrics = createMetrics({ ofProcess: false })
  const telemetry = await joinTraces(disposables, metrics, config.traces, logger)
  const store = disposables.use(
    openSqliteThreadStore({ dataDir: config.dataDir, main, taskChanges: new TaskChanges(data.taskChanges) }),
  )
  const buckets = new SharedBuckets(data.buckets)
  const rules = await openStoredRules(disposables, {
    store,
    bucketOf: (keyNo) => buckets.get(keyNo),
    files: config.routing.models,
    clock,
    logger,
  })
  const { keys, catalogue, models, prices, brands } = rules
  const encryption = createEncryption(config.encryptionKey?.reveal() ?? readEncryptionKey(config.dataDir))
  const { routes, useFile } = await openRouting(disposables, {
    config,
    store,
    catalogue,
    models,
    encryption,
    drivers: upstreamDrivers.map((driver) => withOwnWatermark(driver, createRequireVideoEncoder(config, logger))),
    tools: openUpstreamTools(disposables, {
      fetchUntrusted: createFetchUntrusted({ allowHosts: config.allowHosts }),
      decodeImageFile: rejectInHttpThread,
      assets: { sizeOf: rejectInHttpThread, readFile: rejectInHttpThread, publicUrl: rejectInHttpThread },
      localResultsFolder: path.join(config.dataDir, 'kept'),
      clock,
      operationChanged: () => {},
      onExchange: () => {},
    }),
    embedded: { driver: unusedDriver, inFlightMax: 1, refuse: createRefuseInputs(hasVideoDecoder) },
    callbackUrl: () => null,
    clock,
    logger,
  })
  const passer = disposables.use(new RequestPasser(data.passTarget))
  let isClosing = false
  let connectionGraceMs = 0
  const app = await createTaskApp({
    config,
    isClosing: () => isClosing,
    connectionGraceMs: () => connectionGraceMs,
    limits: { ...defaultLimits, ...limitsOfThread(config.threads) },
    incomingMemory: new IncomingMemory(defaultLimits.incomingBytesMax, data.incomingMemory),
    store,
    assets: main,
    keys,
    brands,
    prices,
    routes,
    effectiveModels: createEffectiveModels(routes),
    webhooks: createWebhooks({
      store,
      encryption,
      allowHosts: config.allowHosts,
      requireAllowedAddress: createRequireAllowedAddress(config),
      onDue: () => {},
      clock,
    }),
    // The main thread assigns the id (`MainStore.accept`).
    nextTaskId: () => '',
    isAllowedHost: createIsAllowedHost(config.allowHosts),
    allowsSimulation: config.mode === 'development',
    views: createTaskViews({
      signer: createUrlSigner({
        key: Buffer.from(data.urlSigningKey),
        publicUrl: () => data.origin,
        basePath: config.basePath,
        ttlSeconds: config.resultUrlTtlSeconds,
      }),
      resultUrlTtlSeconds: config.resultUrlTtlSeconds,
      hasThumbnail: (result) => canCreateThumbnail(result, hasVideoDecoder),
      clock,
    }),
    telemetry,
    clock,
    logger,
    pass: (request, response) => passer.passRequest(request, response),
  })
  disposables.defer(() => app.close())
  const resources = disposables.move()
  return {
    listen: () => listenAt(app, data.address, true),
    applyConfigChanges: () => store.applyConfigChanges(),
    useFile: (file) => useFile(unpackRoutingFile(file)),
    metrics: () => metrics.registry.getMetricsAsJSON(),
    async drain(graceMs) {
      isClosing = true
      connectionGraceMs = graceMs
      await app.close()
    },
    async close() {
      await resources.disposeAsync()
      logger.flush()
    },
  }
}

async function rejectInHttpThread(): Promise<never> {
  throw new Error('only the main thread sends requests to upstreams')
}

/** Required by the routes, but not called, because tasks run in the main thread. */
const unusedDriver: Driver = {
  name: 'embedded',
  isStartIdempotent: true,
  start: rejectInHttpThread,
  poll: rejectInHttpThread,
  fetchOutput: rejectInHttpThread,
  async [Symbol.asyncDispose]() {},
}
