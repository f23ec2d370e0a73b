/**
 * The life cycle of a task.
 *
 *   queued <-> processing -> completed
 *      \           \-------> failed
 *       \------------------> failed      (cancelled, or not started in time)
 *
 * A task that has ended never changes status. A task that no provider accepted returns to `queued`.
 */
export const taskStatuses = ['queued', 'processing', 'completed', 'failed'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/**
 * The allowed transitions. Tests of both databases compare every observed change of a status with
 * this table.
 */
export const nextStatuses = {
  queued: ['processing', 'failed'],
  processing: ['queued', 'completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>

export function isTerminal(status: TaskStatus): boolean {
  return nextStatuses[status].length === 0
}

/** The statuses from which a task may change to `to`. */
export function statusesBefore(to: TaskStatus): TaskStatus[] {
  return taskStatuses.filter((from) => (nextStatuses[from] as readonly TaskStatus[]).includes(to))
}
