import { isTerminal } from '@framegate/contract'
import { createdAtMsOf, taskNoOf } from '../../identity/task-id.ts'
import { RecentTasks } from '../recent-tasks.ts'
import type { Backlog, TaskListQuery, TaskRecord } from '../task-queries.ts'

/** Maximum number of tasks that have not ended. Each takes about 2 kB of memory. */
const tasksRunningMax = 200_000
/** Maximum total size of the parameters of these tasks, in characters. */
const runningCharactersMax = 256 * 1024 * 1024

/** The records of all tasks that have not ended, and of tasks that ended recently. */
export class TaskMemory {
  readonly #running = new Map<string, TaskRecord>()
  readonly #ended = new RecentTasks()
  #runningCharacters = 0

  /** Returns the task if it has not ended, and undefined otherwise. */
  findRunning(id: string): TaskRecord | undefined {
    return this.#running.get(id)
  }

  peek(id: string): TaskRecord | undefined {
    return this.#running.get(id) ?? this.#ended.get(id)
  }

  get isFull(): boolean {
    return this.#running.size >= tasksRunningMax || this.#runningCharacters > runningCharactersMax
  }

  /** Adds or replaces the record of the task. */
  set(task: TaskRecord): void {
    const wasRunning = this.#running.has(task.id)
    if (!isTerminal(task.status)) {
      this.#running.set(task.id, task)
      if (!wasRunning) this.#runningCharacters += task.parameters.length
      return
    }
    if (wasRunning) this.#runningCharacters -= task.parameters.length
    this.#running.delete(task.id)
    this.#ended.set(task)
  }

  /** Removes an ended task from memory. */
  remove(id: string): void {
    this.#ended.delete(id)
  }

  /**
   * Lists the tasks of an account with a status that is not final, by a search through the running
   * tasks of all accounts. There may be far fewer of them than ended tasks of this account.
   */
  list(
    { accountNo, status, model, object, limit, isOldestFirst }: TaskListQuery,
    beforeNo: number,
    fromNo: number,
  ): TaskRecord[] {
    return [...this.#running.values()]
      .filter((task) => {
        if (task.accountNo !== accountNo || task.status !== status) return false
        if (model !== undefined && task.model !== model) return false
        if (object !== undefined && task.object !== object) return false
        const no = taskNoOf(task.id)
        return no >= fromNo && no < beforeNo
      })
      .sort((left, right) => (left.id < right.id === (isOldestFirst === true) ? -1 : 1))
      .slice(0, limit)
  }

  readBacklog(): Backlog[] {
    const groups = { queued: new Map<string, BacklogGroup>(), processing: new Map<string, BacklogGroup>() }
    for (const { id, model, status } of this.#running.values()) {
      if (status !== 'queued' && status !== 'processing') continue
      const group = groups[status].get(model)
      if (group === undefined) groups[status].set(model, { tasks: 1, oldestId: id })
      else {
        group.tasks += 1
        // Ids sort by their creation time.
        if (id < group.oldestId) group.oldestId = id
      }
    }
    return (['queued', 'processing'] as const).flatMap((status) =>
      Array.from(groups[status], ([model, { tasks, oldestId }]) => ({
        model,
        status,
        tasks,
        oldestAtMs: createdAtMsOf(oldestId),
      })),
    )
  }
}

interface BacklogGroup {
  tasks: number
  oldestId: string
}
