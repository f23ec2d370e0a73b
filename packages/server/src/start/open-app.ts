import type { FastifyInstance } from 'fastify'
import type { SignInLinks } from '../auth/sign-in-links.ts'
import type { Config } from '../config/config.ts'
import type { LedgerCheck } from '../credits/ledger-check.ts'
import type { Store } from '../db/store.ts'
import { createFeeds } from '../events/feed.ts'
import { Forwarding } from '../forwarding/forwarding.ts'
import { createApp } from '../http/app.ts'
import type { IncomingMemory } from '../http/bodies/incoming-memory.ts'
import { limitsOfThread } from '../http/limits.ts'
import { createModelImporter } from '../importing/model-importer.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { LogTail } from '../lib/log-tail.ts'
import { bucketCheckMs, createReadiness, diskCheckMs } from '../readiness/readiness.ts'
import { createCallbacks } from '../routing/callbacks.ts'
import { createEffectiveModels } from '../tasks/effective-models.ts'
import { modelsForRouting } from '../tasks/models-for-routing.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { createConsoleServices } from './console-services.ts'
import type { Installation } from './installation.ts'
import type { Services } from './open-services.ts'
import type { ServiceState } from './service-state.ts'

export interface OpenAppDependencies {
  config: Config
  state: ServiceState
  services: Services
  store: Store
  installation: Installation
  /** Sign-in links of the console. Null: there is no console. */
  links: SignInLinks | null
  incomingMemory: IncomingMemory
  scratchDir: string
  nextTaskId: () => string
  ledgerCheck: LedgerCheck
  metrics: Metrics
  telemetry: Telemetry
  clock: Clock
  logger: Logger
  logTail: LogTail
}

/** Creates the HTTP server of the main thread, ready to listen. */
export async function openApp(disposables: AsyncDisposableStack, dependencies: OpenAppDependencies): Promise<FastifyInstance> {
  const { config, state, services, store, installation, links, scratchDir, nextTaskId, clock, logger } = dependencies
  const { models, prices, mediaStore, routes, routing, drivers, tools, fetchUntrusted, callbackTokens: tokens } = services
  const { registry } = dependencies.metrics
  const forwarding = disposables.use(
    new Forwarding(
      { store, routes, prices, nextTaskId, clock, logger },
      { drainMs: config.chat.readOnSeconds * 1000, slotWaitMs: config.chat.waitSeconds * 1000 },
    ),
  )
  const app = await createApp(
    {
      ...services,
      ...dependencies,
      isClosing: () => state.isClosing,
      connectionGraceMs: () => state.connectionGraceMs,
      origin: () => state.origin,
      threads: {
        applyConfigChanges: async () => state.httpThreads?.applyConfigChanges(),
        drain: async (connectionGraceMs) => state.httpThreads?.drain(connectionGraceMs),
      },
      readiness: createReadiness({
        store,
        mediaStore,
        mediaCheckMs: config.media.kind === 's3' ? bucketCheckMs : diskCheckMs,
        scratchDir,
        logger,
      }),
      importer: createModelImporter({
        models,
        routing,
        routingContextOf: (newModels) => modelsForRouting(newModels, drivers),
        fetchUntrusted,
        call: tools.call,
      }),
      feeds: disposables.use(createFeeds(store, services.eventData, clock)),
      console: links && createConsoleServices({ store, installation, media: config.media, links, clock }),
      effectiveModels: createEffectiveModels(routes),
      callbacks: createCallbacks({ routes, tokens, onChanged: (attemptId) => store.notifyAttempt(attemptId), logger }),
      metrics: {
        contentType: registry.contentType,
        metrics: () => state.httpThreads?.metricsWith(registry) ?? registry.metrics(),
      },
      forwarding,
    },
    limitsOfThread(config.threads),
  )
  disposables.defer(() => app.close())
  return app
}
