import type { TaskRecord } from './task-queries.ts'

/** Notifications of changes that this process or another one has made. */
export interface ChangeFeed {
  /**
   * Calls the listener after the commit of every change of status or progress that this process
   * makes. For the tasks in `watched`, changes that another process makes are reported too: always
   * the end of the task, and other changes if `knownVersion` returns a version. Such a call usually
   * comes at once, and may come some seconds later. Returns a function that removes the listener.
   */
  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void
  /** The listener is called when there may be a new task to claim. The call is only a hint. */
  onTaskDue(listener: () => void): () => void
  /**
   * Notifies the worker of this attempt, in this or another process, that the upstream has reported
   * a change. The notification is only a hint.
   */
  notifyAttempt(attemptId: string): void
  onAttemptNotified(listener: (attemptId: string) => void): () => void
  /**
   * The listener is called within a second after any process has changed keys, accounts, brands,
   * prices, or stored models, upstreams or routes. A listener that rejects is called again. The
   * store itself applies changes of spending limits and of limits on tasks in flight.
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
   * reported to the watcher. Null, or a missing method: only the end of the task is reported.
   */
  knownVersion?(id: string): number | null
}
