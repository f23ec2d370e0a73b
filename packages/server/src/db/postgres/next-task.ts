import { createdAtMsOfNo, firstTaskNoAt } from '../../identity/task-id.ts'
import type { Connections } from './connections.ts'

/** How long a result is used. */
const knownForMs = 10_000

/** Finds tasks and forwarded requests that were created later than the current time, after a clock was set back. */
export class NextTask {
  readonly #connections: Connections
  #known: { afterMs: number; ms: number | null } | null = null
  #isReading = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /**
   * Creation time of the first task at or after `ms`, as read at most some seconds ago; null if
   * there is none, undefined while it is being read.
   */
  find(ms: number): number | null | undefined {
    const known = this.#known
    if (known !== null && ms >= known.afterMs && ms - known.afterMs < knownForMs) return known.ms
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
      this.#known = { afterMs: ms, ms: no === null ? null : createdAtMsOfNo(no) }
    } finally {
      this.#isReading = false
    }
  }
}
