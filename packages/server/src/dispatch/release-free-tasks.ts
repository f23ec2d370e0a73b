import { countHeldTasks, listHeldTasks, type HeldTask } from '../db/held-tasks.ts'
import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'
import { taskNoOf } from '../identity/task-id.ts'
import type { Routes } from '../routing/routes.ts'
import { readStoredSimulation } from '../tasks/parameters-text.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

const sweepIntervalMs = 2_000
const tasksPerBatchMax = 500

export interface FreeTasksDependencies {
  store: Pick<Store, 'database' | 'releaseHeld'>
  routes: Pick<Routes, 'embeddedLane'>
  /** Whether this process is the leader. Only the leader releases tasks. */
  isLeader: () => boolean
  logger: Logger
}

/**
 * Until its disposal, periodically releases tasks on hold that cost nothing at an upstream:
 * simulated tasks, and tasks that only the embedded driver (the service itself) serves. A second
 * render is free and produces the same media.
 */
export function releaseFreeTasks({ store, routes, isLeader, logger }: FreeTasksDependencies): AsyncDisposable {
  let currentSweep: Promise<void> | null = null
  const closeController = new AbortController()
  /** Number of tasks that were still on hold after the last sweep. */
  let reportedCount = 0

  async function sweep(): Promise<void> {
    if ((await countHeldTasks(store.database)) === reportedCount) return
    let remainingCount = 0
    let page: HeldTask[] = []
    do {
      page = await listHeldTasks(store.database, tasksPerBatchMax, page.length === 0 ? 0 : taskNoOf(page.at(-1)?.id ?? ''))
      const freeTasks = page.filter(isFree)
      await Promise.all(freeTasks.map(({ id }) => store.releaseHeld(id)))
      remainingCount += page.length - freeTasks.length
    } while (page.length === tasksPerBatchMax && !closeController.signal.aborted)
    if (remainingCount > reportedCount) {
      logger.warn(
        { tasks: remainingCount },
        'tasks of the restored copy are on hold; list them with framegate tasks held, then release or fail them',
      )
    }
    reportedCount = remainingCount
  }

  function isFree({ model, parameters }: HeldTask): boolean {
    return readStoredSimulation(parameters) !== null || routes.embeddedLane(model) !== null
  }

  function sweepSoon(): void {
    if (!isLeader()) return
    currentSweep ??= sweep()
      .catch((error: unknown) => logger.error({ err: error }, 'tasks on hold could not be read; this will be retried'))
      .finally(() => {
        currentSweep = null
      })
  }

  sweepSoon()
  const timer = repeatAligned(sweepSoon, sweepIntervalMs)
  return {
    async [Symbol.asyncDispose]() {
      closeController.abort()
      timer[Symbol.dispose]()
      await currentSweep
    },
  }
}
