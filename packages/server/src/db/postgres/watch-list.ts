import { taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import type { WatchedTasks } from '../change-feed.ts'
import type { ConnectionPool } from './connections.ts'

/** Maximum number of watched tasks that one poll reads. The next poll reads the following ones. */
const pollBatchMax = 5_000

/** Tasks that requests in this process are waiting for, and that other processes may change. */
export class WatchList {
  readonly #connections: ConnectionPool
  readonly #watched = new Set<WatchedTasks>()
  #isPolling = false
  /** Position after the last task that a poll has read. */
  #nextPosition = 0

  constructor(connections: ConnectionPool) {
    this.#connections = connections
  }

  /** Adds tasks to the list. Returns a function that removes them. */
  add(watched: WatchedTasks): () => void {
    this.#watched.add(watched)
    return () => this.#watched.delete(watched)
  }

  has(id: string): boolean {
    for (const watchedTasks of this.#watched) if (watchedTasks.has(id)) return true
    return false
  }

  /**
   * Returns the lowest of the task's versions that its watchers have received. Null: no watcher
   * waits for all changes of the task.
   */
  knownVersion(id: string): number | null {
    let lowest: number | null = null
    for (const watchedTasks of this.#watched) {
      const knownVersion = watchedTasks.knownVersion?.(id) ?? null
      if (knownVersion !== null && (lowest === null || knownVersion < lowest)) lowest = knownVersion
    }
    return lowest
  }

  /**
   * Returns the ids of watched tasks that have ended, or that have changed since the version that a
   * watcher has received. The notifications of these changes may have been lost.
   */
  async poll(): Promise<string[]> {
    if (this.#isPolling) return []
    const ids = this.#nextIds()
    if (ids.length === 0) return []
    this.#isPolling = true
    const rows = await this.#connections
      .read<{ no: number; tail: string }>({
        name: 'changed_among',
        text: `
          select t.no, t.tail
          from unnest($1::bigint[], $2::bigint[]) as w (no, version) join tasks t on t.no = w.no
          where t.ended_at is not null or t.version > w.version`,
        values: [ids.map(taskNoOf), ids.map((id) => this.knownVersion(id))],
      })
      .catch(() => [])
    this.#isPolling = false
    return rows.map(({ no, tail }) => taskIdOf(no, tail)).filter((id) => this.has(id))
  }

  /**
   * Returns all watched tasks or, if there are more than `pollBatchMax`, the next ones in rotation.
   */
  #nextIds(): string[] {
    const ids = [...this.#watched].flatMap((watched) => Array.from(watched.keys()))
    if (ids.length <= pollBatchMax) return ids
    const position = this.#nextPosition % ids.length
    this.#nextPosition = position + pollBatchMax
    return [...ids.slice(position), ...ids.slice(0, position)].slice(0, pollBatchMax)
  }
}
