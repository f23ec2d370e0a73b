import { createdAtMsOfNo, firstTaskNoAt } from '../../identity/task-id.ts'
import type { ConnectionPool } from './connections.ts'

/** Time for which a result of the query is used. */
const cacheMs = 10_000

/**
 * Finds the next task or forwarded request whose creation time is in the future. There is one only
 * if the clock was set back.
 */
export class NextTaskFinder {
  readonly #connections: ConnectionPool
  #cached: { afterMs: number; ms: number | null } | null = null
  #isReading = false

  constructor(connections: ConnectionPool) {
    this.#connections = connections
  }

  /**
   * Returns the creation time of the first task or forwarded request at or after `ms`. The result
   * may be some seconds old. Returns null if there is none, and undefined while the time is being
   * read.
   */
  find(ms: number): number | null | undefined {
    const cached = this.#cached
    if (cached !== null && ms >= cached.afterMs && ms - cached.afterMs < cacheMs) return cached.ms
    if (!this.#isReading) void this.#read(ms).catch(() => undefined)
    return undefined
  }

  async #read(ms: number): Promise<void> {
    this.#isReading = true
    try {
      const text =
        'select least((select min(no) from tasks where no >= $1), (select min(no) from forwarded_requests where no >= $1)) as no'
      const [row] = await this.#connections.read<{ no: number | null }>({ text, values: [firstTaskNoAt(ms)] })
      const no = row?.no ?? null
      this.#cached = { afterMs: ms, ms: no === null ? null : createdAtMsOfNo(no) }
    } finally {
      this.#isReading = false
    }
  }
}
