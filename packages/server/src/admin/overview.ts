import type { Overview } from '@framegate/contract'
import type { LedgerCheck } from '../credits/ledger-check.ts'
import { countHeldTasks } from '../db/held-tasks.ts'
import type { Store } from '../db/store.ts'
import type { Backlog } from '../db/task-queries.ts'
import type { Clock } from '../lib/clock.ts'
import { readThrottled } from '../lib/read-throttled.ts'
import { listFailingWebhooks } from './operator-webhooks.ts'
import { readTimesByModel, type TimesByModel } from './times-by-model.ts'

const readIntervalMs = 5_000
const countedWebhooksMax = 100
const shownWebhooksMax = 20

export interface OverviewSources {
  store: Pick<Store, 'readBacklog' | 'database' | 'readMany'>
  ledgerCheck: Pick<LedgerCheck, 'latest'>
  clock: Clock
}

/**
 * Returns a function that reads the state of the installation. It queries the database at most once
 * in five seconds.
 */
export function createOverview({ store, ledgerCheck, clock }: OverviewSources): () => Promise<Overview> {
  const readState = readThrottled(clock, readIntervalMs, async () => {
    const [backlog, held, times, failingWebhooks] = await Promise.all([
      store.readBacklog(),
      countHeldTasks(store.database),
      readTimesByModel(store, clock()),
      listFailingWebhooks(store.database, countedWebhooksMax),
    ])
    return { backlog, held, times, failingWebhooks }
  })

  return async () => {
    const { backlog, held, times, failingWebhooks } = await readState()
    const { latest } = ledgerCheck
    const queuedBacklog = backlog.filter(({ status }) => status === 'queued')
    return {
      object: 'overview',
      tasks: {
        queued: countTasks(queuedBacklog),
        processing: countTasks(backlog.filter(({ status }) => status === 'processing')),
        held,
        oldest_queued:
          queuedBacklog.length === 0 ? null : toSeconds(Math.min(...queuedBacklog.map(({ oldestAtMs }) => oldestAtMs))),
      },
      models: loadByModel(backlog, times),
      times_from: toSeconds(times.fromMs),
      webhooks: { failing: failingWebhooks.length, items: failingWebhooks.slice(0, shownWebhooksMax) },
      ledger: { checked: latest && toSeconds(latest.atMs), differences: latest && latest.differences },
    }
  }
}

function loadByModel(backlog: readonly Backlog[], { models }: TimesByModel): Overview['models'] {
  const names = new Set([...backlog.map(({ model }) => model), ...models.keys()])
  return [...names].toSorted().map((model) => {
    const modelBacklog = backlog.filter((entry) => entry.model === model)
    const times = models.get(model)
    return {
      model,
      queued: countTasks(modelBacklog.filter(({ status }) => status === 'queued')),
      processing: countTasks(modelBacklog.filter(({ status }) => status === 'processing')),
      completed: times?.completed ?? 0,
      p50_seconds: times?.p50Seconds ?? null,
      p95_seconds: times?.p95Seconds ?? null,
    }
  })
}

function countTasks(backlogs: readonly Backlog[]): number {
  return backlogs.reduce((sum, { tasks }) => sum + tasks, 0)
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
