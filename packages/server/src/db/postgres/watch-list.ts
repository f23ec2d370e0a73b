import { taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import type { WatchedTasks } from '../change-feed.ts'
import type { Connections } from './connections.ts'

/** Maximum number of watched tasks in one poll. */
const polledAtOnceMax = 5_000

/** Tasks that a request in this process waits for, and that other processes may change. */
export class WatchList {
  readonly #connections: Connections
  readonly #watched = new Set<WatchedTasks>()
  #isPolling = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Returns a function that stops watching. */
  add(watched: WatchedTasks): () => void {
    this.#watched.add(watched)
    return () => this.#watched.delete(watched)
  }

  has(id: string): boolean {
    for (const watched of this.#watched) if (watched.has(id)) return true
    return false
  }

  /**
   * The lowest version that a watcher knows of a task whose changes are awaited; null if none are.
   */
  knownVersion(id: string): number | null {
    let lowest: number | null = null
    for (const watched of this.#watched) {
      const known = watched.knownVersion?.(id) ?? null
      if (known !== null && (lowest === null || known < lowest)) lowest = known
    }
    return lowest
  }

  /**
   * Finds the watched tasks that have ended without a notification, or have changed while a watcher
   * waits for changes.
   */
  async poll(): Promise<string[]> {
    const ids = [...this.#watched].flatMap((watched) => Array.from(watched.keys())).slice(0, polledAtOnceMax)
    if (ids.length === 0 || this.#isPolling) return []
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
}
