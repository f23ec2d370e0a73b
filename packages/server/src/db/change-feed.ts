import type { TaskRecord } from './task-queries.ts'

/** Notifications of changes by this process and by others. */
export interface ChangeFeed {
  /**
   * Calls the listener after the commit of every change by this process that a client can see.
   * Changes by other processes are reported only for tasks in `watched`: the end of the task, and
   * other changes if the watcher waits for them. That report usually comes at once, and at the
   * latest after some seconds. Returns a function that stops listening.
   */
  onTaskChanged(listener: (task: TaskRecord) => void, watched?: WatchedTasks): () => void
  /** Called when there may be something new to claim. It is only a hint. */
  onTaskDue(listener: () => void): () => void
  /**
   * Notifies the worker of this attempt, in any process, that its upstream has reported a change.
   * It is only a hint.
   */
  notifyAttempt(attemptId: string): void
  onAttemptNotified(listener: (attemptId: string) => void): () => void
  /**
   * Called within a second after keys, accounts, brands, prices or stored routes were changed, by
   * any process. A listener that rejects is called again. The store itself applies changed limits
   * of tasks in flight and of spending.
   */
  onConfigChanged(listener: () => Promise<void>): () => void
}

/** Tasks by their ids, in the form of a Map. */
export interface WatchedTasks extends Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  /**
   * The version of a task that the watcher knows. The watcher waits for any later version. With
   * null, or without this method, it waits only for the end of the task.
   */
  knownVersion?(id: string): number | null
}
