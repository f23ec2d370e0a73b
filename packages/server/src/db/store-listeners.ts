import { subscribe } from '../lib/subscribe.ts'
import type { EventLog } from './event-log.ts'
import type { TaskRecord } from './task-queries.ts'
import type { WaitingLane } from './task-queue.ts'

/** Listener of `EventLog.onEventsDistributed`. */
export type DistributedListener = Parameters<EventLog['onEventsDistributed']>[0]

/** The listeners of a store in this process. */
export class StoreListeners {
  readonly #changed = new Set<(task: TaskRecord) => void>()
  readonly #due = new Set<(accepted: readonly WaitingLane[] | null) => void>()
  readonly #attempt = new Set<(attemptId: string) => void>()
  readonly #recorded = new Set<() => void>()
  readonly #distributed = new Set<DistributedListener>()
  #isDueScheduled = false
  /** Number of tasks of each lane that were accepted since the last notification. */
  readonly #accepted = new Map<number, number>()
  #areOthersDue = false

  onTaskChanged(listener: (task: TaskRecord) => void): () => void {
    return subscribe(this.#changed, listener)
  }

  onTaskDue(listener: (accepted: readonly WaitingLane[] | null) => void): () => void {
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

  notifyTaskDue(accepted: readonly WaitingLane[] | null = null): void {
    for (const listener of this.#due) listener(accepted)
  }

  /**
   * Calls `notifyTaskDue` in a microtask, once for all calls of a tick, because one commit may
   * accept many tasks. `afterwards` runs right after that.
   */
  scheduleTaskDue(afterwards?: () => void): void {
    this.#areOthersDue = true
    this.#schedule(afterwards)
  }

  /** Like `scheduleTaskDue`, for a task that was accepted and waits in this lane. */
  scheduleAccepted(lane: number): void {
    this.#accepted.set(lane, (this.#accepted.get(lane) ?? 0) + 1)
    this.#schedule()
  }

  #schedule(afterwards?: () => void): void {
    if (this.#isDueScheduled) return
    this.#isDueScheduled = true
    queueMicrotask(() => {
      this.#isDueScheduled = false
      const accepted = this.#areOthersDue ? null : Array.from(this.#accepted, ([lane, tasks]) => ({ lane, tasks }))
      this.#areOthersDue = false
      this.#accepted.clear()
      this.notifyTaskDue(accepted)
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
