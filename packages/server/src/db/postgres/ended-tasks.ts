import { isTerminal } from '@framegate/contract'
import { RecentTasks } from '../recent-tasks.ts'
import type { TaskRecord } from '../task-queries.ts'
import { RecentlyErased } from './recently-erased.ts'

/** `peek` does not return a task if one of its files expires within this time. */
const removalMarginMs = 5_000

/**
 * Ended tasks in memory. Their records change only when content is removed or a preview is created.
 * Other tasks are not in memory, because another process may change them.
 */
export class EndedTasks {
  readonly #tasks = new RecentTasks()
  readonly #erased = new RecentlyErased()

  /** Returns a task if its files cannot have been removed since it was added. */
  peek(id: string, nowMs: number): TaskRecord | undefined {
    const task = this.#tasks.get(id)
    const isExact = task?.results.every(({ removed, expiresAtMs }) => removed || nowMs < expiresAtMs - removalMarginMs)
    return isExact === true ? task : undefined
  }

  get(id: string): TaskRecord | undefined {
    return this.#tasks.get(id)
  }

  /**
   * Whether the task was deleted recently. A read that began before the deletion may not have seen
   * it.
   */
  hasDeleted(id: string): boolean {
    return this.#erased.hasDeleted(id)
  }

  /** Adds a task if it has ended and its content was not removed recently. */
  add(task: TaskRecord): void {
    if (isTerminal(task.status) && task.isDeleted !== true && !this.#erased.has(task.id)) this.#tasks.set(task)
  }

  /** Removes tasks whose content was removed. */
  remove(ids: readonly string[], areDeleted: boolean): void {
    for (const id of ids) {
      this.#erased.add(id, areDeleted)
      this.#tasks.delete(id)
    }
  }

  clear(): void {
    this.#tasks.clear()
  }
}
