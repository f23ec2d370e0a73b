/**
 * Removal of old tasks with their attempts and results. Ledger entries and usage remain, so the
 * books balance as before. A task stays while something of it is needed: it has not ended, the file
 * of a result exists, an attempt holds a slot, or an operator must resolve an attempt.
 */
export interface TaskHistory {
  /** Removes the tasks of a range, in one commit. */
  removeTasks(range: TaskRange): Promise<RemovedTasks>
}

export interface TaskRange {
  /**
   * The task numbers (`identity/task-id.ts`) from `fromNo`, and below `beforeNo`. `beforeNo` is the
   * first number of a day in UTC, because usage is counted by day.
   */
  fromNo: number
  beforeNo: number
  /** Maximum number of tasks that one call examines. */
  countMax: number
}

export interface RemovedTasks {
  ids: string[]
  /** The number to continue from. Null: the range is finished. */
  nextNo: number | null
}
