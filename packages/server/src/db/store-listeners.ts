import { subscribe } from '../lib/subscribe.ts'
import type { EventLog } from './event-log.ts'
import type { TaskRecord } from './task-queries.ts'

/** Listener of `EventLog.onEventsDistributed`. */
export type DistributedListener = Parameters<EventLog['onEventsDistributed']>[0]

/** The listeners of a store in this process. */
export class StoreListeners {
  readonly #changedListeners = new Set<(task: TaskRecord) => void>()
  readonly #dueListeners = new Set<() => void>()
  readonly #attemptListeners = new Set<(attemptId: string) => void>()
  readonly #recordedListeners = new Set<() => void>()
  readonly #distributedListeners = new Set<DistributedListener>()
  #isDueScheduled = false

  onTaskChanged(listener: (task: TaskRecord) => void): () => void {
    return subscribe(this.#changedListeners, listener)
  }

  onTaskDue(listener: () => void): () => void {
    return subscribe(this.#dueListeners, listener)
  }

  onAttemptNotified(listener: (attemptId: string) => void): () => void {
    return subscribe(this.#attemptListeners, listener)
  }

  onEventsRecorded(listener: () => void): () => void {
    return subscribe(this.#recordedListeners, listener)
  }

  onEventsDistributed(listener: DistributedListener): () => void {
    return subscribe(this.#distributedListeners, listener)
  }

  notifyTaskChanged(task: TaskRecord): void {
    for (const listener of this.#changedListeners) listener(task)
  }

  notifyTaskDue(): void {
    for (const listener of this.#dueListeners) listener()
  }

  /**
   * Calls `notifyTaskDue` in a microtask. Further calls before this microtask have no effect,
   * because one commit may accept many tasks. After `notifyTaskDue`, the microtask runs the
   * `afterwards` of the first call.
   */
  scheduleTaskDue(afterwards?: () => void): void {
    if (this.#isDueScheduled) return
    this.#isDueScheduled = true
    queueMicrotask(() => {
      this.#isDueScheduled = false
      this.notifyTaskDue()
      afterwards?.()
    })
  }

  notifyAttempt(attemptId: string): void {
    for (const listener of this.#attemptListeners) listener(attemptId)
  }

  notifyEventsRecorded(): void {
    for (const listener of this.#recordedListeners) listener()
  }

  notifyEventsDistributed(distributed: Parameters<DistributedListener>[0]): void {
    for (const listener of this.#distributedListeners) listener(distributed)
  }
}
