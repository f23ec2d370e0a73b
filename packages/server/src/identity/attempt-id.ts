import { isTaskId } from './task-id.ts'

/**
 * Safe as a file name, unique, and stable across restarts: it is sent upstream as the idempotency
 * key.
 */
export function attemptIdOf(taskId: string, number: number): string {
  return `${taskId}_${number}`
}

/** Returns undefined for a text that is not the id of an attempt. */
export function readAttemptId(attemptId: string): { taskId: string; number: number } | undefined {
  const [, taskId = '', number] = /^(\w+)_([1-9]\d{0,8})$/.exec(attemptId) ?? []
  return isTaskId(taskId) ? { taskId, number: Number(number) } : undefined
}
