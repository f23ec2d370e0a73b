import path from 'node:path'
import type { Assets } from '../assets/assets.ts'
import type { Config } from '../config/config.ts'
import { startGrantExpiry } from '../credits/expire-grants.ts'
import type { Store } from '../db/store.ts'
import { openCollector } from '../dispatch/collect-result.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { endWaitingTasks } from '../dispatch/end-waiting-tasks.ts'
import type { ModelFacts } from '../dispatch/model-facts.ts'
import { createUnresolvedAttempts } from '../dispatch/unresolved-attempts.ts'
import { watchOverdue } from '../dispatch/watch-overdue.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { Routes } from '../routing/routes.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { createDrawWatermark } from '../watermark/draw-watermark.ts'
import { startRetention } from './retention.ts'

export interface WorkParts {
  config: Config
  store: Store
  routes: Routes
  mediaStore: MediaStore
  assets: Assets
  modelFacts: (modelId: string) => ModelFacts | undefined
  telemetry: Telemetry
  clock: Clock
  logger: Logger
}

/** What a process does besides answering requests: it works on tasks, and clears up after them. */
export async function openWork(opened: AsyncDisposableStack, parts: WorkParts): Promise<Dispatcher> {
  const { config, store, routes, mediaStore, assets, modelFacts, telemetry, clock, logger } = parts
  await store.joinWorkers()
  const unresolved = createUnresolvedAttempts(store.query, clock)
  opened.use(watchOverdue({ unresolved, store, routes, modelFacts, isOurs: () => store.workers.rank === 0, clock, logger }))
  const collector = await openCollector({
    mediaStore,
    drawWatermark: createDrawWatermark({ encoder: config.embedded.encoder }),
    scratchDir: path.join(config.dataDir, 'scratch'),
    retentionMs: config.resultRetentionSeconds * 1000,
  })
  const dispatcher = opened.use(new Dispatcher({ store, routes, modelFacts, collector, telemetry, clock, logger }))
  opened.defer(store.onNews((attemptId) => dispatcher.operationChanged(attemptId)))
  opened.use(endWaitingTasks({ store, startDeadlineMs: config.startDeadlineSeconds * 1000, clock, logger }))
  opened.use(startGrantExpiry(store, logger))
  opened.use(startRetention({ store, mediaStore, assets, clock, logger }))
  return dispatcher
}
