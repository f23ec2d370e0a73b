import { isTaskId } from './task-id.ts'

/**
 * The id of an attempt. It is sent upstream as the idempotency key, so it is unique and stable
 * across restarts. It is safe as a file name.
 */
export function attemptIdOf(taskId: string, number: number): string {
  return `${taskId}_${number}`
}

/** Returns undefined for a text that is not the id of an attempt. */
export function readAttemptId(attemptId: string): { taskId: string; number: number } | undefined {
  const [, taskId = '', number] = /^(\w+)_([1-9]\d{0,8})$/.exec(attemptId) ?? []
  return isTaskId(taskId) ? { taskId, number: Number(number) } : undefined
}
