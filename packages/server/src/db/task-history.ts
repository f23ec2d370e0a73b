/**
 * Removal of old tasks with their attempts and results. Ledger entries and usage remain, so the
 * ledger still balances. A task stays in each of these cases:
 *
 * - the task has not ended
 * - the file of a result exists
 * - an attempt holds a slot, or an operator must resolve an attempt
 * - an event or a webhook delivery of the task is kept
 */
export interface TaskHistory {
  /**
   * Moves tasks to the tables of their month, in one commit. `dropMonth` later drops these tables.
   * A task is moved if none of the cases above applies and its prompt was removed. SQLite has no
   * such tables and moves no tasks.
   */
  moveTasks(range: MoveRange): Promise<MovedTasks>
  /**
   * Drops the tables of the oldest month, if all its tasks were accepted before the task
   * `beforeNo`.
   */
  dropMonth(beforeNo: number): Promise<DroppedMonth>
  /** Removes tasks of a range in one commit, except those in the tables of a month. */
  removeTasks(range: TaskRange): Promise<RemovedTasks>
}

export interface MoveRange {
  /** The task number to begin with (`identity/task-id.ts`). */
  fromNo: number
  /** Maximum number of tasks that one call examines. */
  countMax: number
  /**
   * Retention of results. It applies to prompts too, unless their brand has its own retention of
   * prompts.
   */
  resultRetentionMs: number
}

export interface MovedTasks {
  moved: number
  /** The task number to continue from. Null: there are no further tasks. */
  nextNo: number | null
}

/** `busy`: other statements use the tables of the month, and nothing was dropped. */
export type DroppedMonth = { kind: 'dropped'; name: string } | { kind: 'busy' } | { kind: 'none' }

export interface TaskRange {
  /** The lowest task number of the range (`identity/task-id.ts`). */
  fromNo: number
  /**
   * The lowest task number after the range. It is the first number of a day in UTC, because usage
   * is counted by day.
   */
  beforeNo: number
  /** Maximum number of tasks that one call examines. */
  countMax: number
}

export interface RemovedTasks {
  ids: string[]
  /** The task number to continue from. Null: the range is finished. */
  nextNo: number | null
}
