import { taskNoOf } from '../../lib/task-id.ts'
import type { TaskRecord } from '../store.ts'
import { taskColumns, taskRecordOf, taskTables } from '../task-record.ts'
import type { Connections } from './connections.ts'

const idsPerReadMax = 1_000
/** While so many are on their way the next one fills. */
const readsInFlightMax = 2

interface Waiting {
  resolve: (task: TaskRecord | undefined) => void
  reject: (error: unknown) => void
}

/** Reads tasks by their ids: all that are asked for in one turn of the event loop by one statement. */
export class TaskReader {
  readonly #connections: Connections
  #asked = new Map<string, Waiting[]>()
  #inFlight = 0
  #isScheduled = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  find(id: string): Promise<TaskRecord | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#asked.get(id)
      if (waiting === undefined) this.#asked.set(id, [{ resolve, reject }])
      else waiting.push({ resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#asked.size === 0 || this.#inFlight >= readsInFlightMax) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#read()
    })
  }

  async #read(): Promise<void> {
    const asked = this.#take()
    this.#inFlight += 1
    try {
      const found = await this.#recordsOf([...asked.keys()])
      for (const [id, waiting] of asked) for (const { resolve } of waiting) resolve(found.get(id))
    } catch (error) {
      for (const waiting of asked.values()) for (const { reject } of waiting) reject(error)
    } finally {
      this.#inFlight -= 1
      this.#schedule()
    }
  }

  #take(): Map<string, Waiting[]> {
    const asked = this.#asked
    this.#asked = new Map()
    if (asked.size <= idsPerReadMax) return asked
    const entries = [...asked]
    this.#asked = new Map(entries.slice(idsPerReadMax))
    return new Map(entries.slice(0, idsPerReadMax))
  }

  async #recordsOf(ids: string[]): Promise<Map<string, TaskRecord>> {
    const rows = await this.#connections.read({
      name: 'find_tasks',
      text: `select ${taskColumns} from ${taskTables} where t.no = any ($1)`,
      values: [ids.map(taskNoOf)],
    })
    return new Map(rows.map(taskRecordOf).map((task) => [task.id, task]))
  }
}
