import type { TaskRecord } from './task-queries.ts'

/** Notifications of changes that this process or another one has made. */
export interface ChangeFeed {
  /**
   * Calls the listener after the commit of every change of status or progress that this process
   * makes. For a task in `watched`, the listener is also called after changes by other processes:
   * always after the end of the task, and after other changes if `knownVersion` returns a version.
   * These calls may be delayed by some seconds. Returns a function that removes the listener.
   */
  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void
  /**
   * The listener is called when there may be a new task to claim. There may be calls without a new
   * task, and a call may be lost.
   */
  onTaskDue(listener: () => void): () => void
  /**
   * Notifies the worker of this attempt, in this or another process, that the upstream has reported
   * a change. The notification may be lost.
   */
  notifyAttempt(attemptId: string): void
  onAttemptNotified(listener: (attemptId: string) => void): () => void
  /**
   * The listener is called within a second after any process has changed keys, accounts, brands,
   * prices, or the models, upstreams and routes in the database. A listener that rejects is called
   * again. The store itself applies changes of spending limits and of limits on tasks in flight.
   */
  onConfigChanged(listener: () => Promise<void>): () => void
  /**
   * Resolves when the listeners of `onConfigChanged` have applied the changes that other processes
   * committed before the call, but after a second at the latest.
   */
  applyConfigChanges(): Promise<void>
}

/** Ids of tasks that a caller watches, with the read interface of a Map. */
export interface WatchedTasks extends Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  /**
   * Returns the latest version of the task that the watcher has received. Every later version is
   * reported to the watcher. If the result is null or this method is missing, only the end of the
   * task is reported.
   */
  knownVersion?(id: string): number | null
}
