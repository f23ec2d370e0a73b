import type { TaskRecord } from './task-queries.ts'

/** What changed, in this process and in others. */
export interface ChangeFeed {
  /**
   * Calls the listener after the commit of every change by this process that a client can see.
   * Changes by other processes are reported for watched tasks only: their end, and other changes
   * where those are awaited. The report usually comes at once, within some seconds at the latest.
   * Returns a function that stops listening.
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
   * any process. A listener that rejects is called again. Limits of tasks in flight and of spending
   * are applied without it.
   */
  onConfigChanged(listener: () => Promise<void>): () => void
}

/** Tasks by their ids, in the form of a Map. */
export interface WatchedTasks extends Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  /**
   * The known version of a watched task: any later one is awaited. If it is null, or the method is
   * missing, only the end is.
   */
  knownVersion?(id: string): number | null
}
