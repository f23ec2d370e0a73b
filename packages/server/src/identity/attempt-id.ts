import { isTaskId } from './task-id.ts'

/**
 * Returns the id of an attempt (one try at a task). The service sends this id to the upstream as
 * the idempotency key, so the id is unique and stays the same after a restart. It is also a valid
 * file name.
 */
export function attemptIdOf(taskId: string, number: number): string {
  return `${taskId}_${number}`
}

/** Parses the id of an attempt. Returns undefined if it is not valid. */
export function readAttemptId(attemptId: string): { taskId: string; number: number } | undefined {
  const [, taskId = '', number] = /^(\w+)_([1-9]\d{0,8})$/.exec(attemptId) ?? []
  return isTaskId(taskId) ? { taskId, number: Number(number) } : undefined
}
