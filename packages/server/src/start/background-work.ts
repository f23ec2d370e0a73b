import path from 'node:path'
import type { Assets } from '../assets/assets.ts'
import type { Config } from '../config/config.ts'
import { startGrantExpiry } from '../credits/expire-grants.ts'
import type { Store } from '../db/store.ts'
import { openCollector } from '../dispatch/collect-result.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { endWaitingTasks } from '../dispatch/end-waiting-tasks.ts'
import type { FindModelFacts } from '../dispatch/model-facts.ts'
import { createUnresolvedAttempts } from '../dispatch/unresolved-attempts.ts'
import { releaseFreeTasks } from '../dispatch/release-free-tasks.ts'
import { watchOverdue } from '../dispatch/watch-overdue.ts'
import type { AccountErasure } from '../deletion/account-erasure.ts'
import { clearUnresolved } from '../deletion/unresolved-retention.ts'
import { sweepLocalResults } from '../deletion/local-result-leftovers.ts'
import { createPromptRetention } from '../deletion/prompt-retention.ts'
import { createTaskRetention } from '../deletion/task-retention.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import { createOpenGuardedChannel } from '../lib/guarded-fetch/guarded-channel.ts'
import type { ProbeUntrusted } from '../media/prober/prober-pool.ts'
import type { Previews } from '../previews/previews.ts'
import type { Routes } from '../routing/routes.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { createDrawWatermark } from '../watermark/draw-watermark.ts'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import { Deliverer } from '../webhooks/deliverer.ts'
import type { WebhookRemoval } from '../webhooks/remove-webhooks.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { EventData } from '../events/event-data.ts'
import { startRetention } from './retention.ts'

export interface BackgroundWorkDependencies {
  config: Config
  store: Store
  routes: Routes
  mediaStore: MediaStore
  probeUntrustedFile: ProbeUntrusted
  previews: Previews
  assets: Assets
  erasure: AccountErasure
  webhooks: Webhooks
  webhookRemoval: WebhookRemoval
  eventData: EventData
  localResultsFolder: string
  findModelFacts: FindModelFacts
  findWatermarkDesign: (accountNo: number) => Promise<WatermarkDesign>
  telemetry: Telemetry
  clock: Clock
  /** Clock for expiry and removal (see `ExpiryClock`). */
  expiryClock: Clock
  logger: Logger
}

export interface BackgroundWork {
  dispatcher: Dispatcher
  deliverer: Deliverer
}

/**
 * Starts the background work of a process: cleanup, expiry, and checks of tasks and attempts. The
 * returned dispatcher and deliverer do not run yet.
 */
export async function startBackgroundWork(
  disposables: AsyncDisposableStack,
  dependencies: BackgroundWorkDependencies,
): Promise<BackgroundWork> {
  const {
    config,
    store,
    routes,
    mediaStore,
    assets,
    erasure,
    localResultsFolder,
    findModelFacts,
    findWatermarkDesign,
    telemetry,
    clock,
  } = dependencies
  const { expiryClock, webhooks, webhookRemoval, eventData, logger, probeUntrustedFile, previews } = dependencies
  await store.joinWorkers()
  const unresolvedAttempts = createUnresolvedAttempts(store.database, clock)
  disposables.use(
    watchOverdue({
      unresolved: unresolvedAttempts,
      store,
      routes,
      findModelFacts,
      telemetry,
      isLeader: () => store.workers.rank === 0,
      clock,
      logger,
    }),
  )
  const collector = await openCollector({
    mediaStore,
    probeUntrustedFile,
    previews,
    drawWatermark: createDrawWatermark({ encoder: config.watermarkEncoder }),
    scratchDir: path.join(config.dataDir, 'scratch'),
    retentionMs: config.resultRetentionSeconds * 1000,
  })
  const dispatcher = disposables.use(
    new Dispatcher({ store, routes, findModelFacts, findWatermarkDesign, collector, telemetry, clock, logger }),
  )
  disposables.defer(store.onAttemptNotified((attemptId) => dispatcher.operationChanged(attemptId)))
  disposables.use(releaseFreeTasks({ store, routes, isLeader: () => store.workers.rank === 0, logger }))
  const startDeadlineMs = config.startDeadlineSeconds * 1000
  disposables.use(endWaitingTasks({ store, telemetry, startDeadlineMs, clock: expiryClock, logger }))
  disposables.use(startGrantExpiry(store, logger))
  const resultRetentionMs = config.resultRetentionSeconds * 1000
  const prompts = createPromptRetention({ store, resultRetentionMs, clock: expiryClock })
  const tasks = createTaskRetention({
    store,
    months: config.taskRetentionMonths,
    resultRetentionMs,
    isLeader: () => store.workers.rank === 0,
    clock: expiryClock,
    logger,
  })
  const completeDeletions = async (signal: AbortSignal): Promise<void> => {
    await erasure.sweep(signal)
    await clearUnresolved(store.database, expiryClock())
    await sweepLocalResults(localResultsFolder, store.database)
  }
  disposables.use(
    startRetention({
      store,
      mediaStore,
      assets,
      prompts,
      tasks,
      webhooks: webhookRemoval,
      completeDeletions,
      clock: expiryClock,
      logger,
    }),
  )
  const deliverer = disposables.use(
    new Deliverer({
      store,
      openChannel: createOpenGuardedChannel(config),
      data: eventData,
      secrets: (endpoint) => webhooks.signingSecrets(endpoint),
      onDisabled: (accountNo) => webhooks.updateSubscriptions(accountNo),
      clock,
      expiryClock,
      logger,
    }),
  )
  return { dispatcher, deliverer }
}
