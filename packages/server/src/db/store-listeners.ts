import { subscribe } from '../lib/subscribe.ts'
import type { EventLog } from './event-log.ts'
import type { TaskRecord } from './task-queries.ts'

/** Listener of `EventLog.onEventsDistributed`. */
export type DistributedListener = Parameters<EventLog['onEventsDistributed']>[0]

/** The listeners of a store in this process. */
export class StoreListeners {
  readonly #changed = new Set<(task: TaskRecord) => void>()
  readonly #due = new Set<() => void>()
  readonly #attempt = new Set<(attemptId: string) => void>()
  readonly #recorded = new Set<() => void>()
  readonly #distributed = new Set<DistributedListener>()
  #isDueScheduled = false

  onTaskChanged(listener: (task: TaskRecord) => void): () => void {
    return subscribe(this.#changed, listener)
  }

  onTaskDue(listener: () => void): () => void {
    return subscribe(this.#due, listener)
  }

  onAttemptNotified(listener: (attemptId: string) => void): () => void {
    return subscribe(this.#attempt, listener)
  }

  onEventsRecorded(listener: () => void): () => void {
    return subscribe(this.#recorded, listener)
  }

  onEventsDistributed(listener: DistributedListener): () => void {
    return subscribe(this.#distributed, listener)
  }

  notifyTaskChanged(task: TaskRecord): void {
    for (const listener of this.#changed) listener(task)
  }

  notifyTaskDue(): void {
    for (const listener of this.#due) listener()
  }

  /**
   * Calls `notifyTaskDue` in a microtask, once for all calls before it, because one commit may
   * accept many tasks. Then runs the `afterwards` of the first of these calls.
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
    for (const listener of this.#attempt) listener(attemptId)
  }

  notifyEventsRecorded(): void {
    for (const listener of this.#recorded) listener()
  }

  notifyEventsDistributed(distributed: Parameters<DistributedListener>[0]): void {
    for (const listener of this.#distributed) listener(distributed)
  }
}
