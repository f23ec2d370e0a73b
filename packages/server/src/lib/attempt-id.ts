import { isTaskId } from './task-id.ts'

/** File-name safe, unique, and the same after a restart: it goes upstream as the idempotency key. */
export function attemptIdOf(taskId: string, number: number): string {
  return `${taskId}_${number}`
}

/** Undefined when it is no attempt's id. */
export function readAttemptId(attemptId: string): { taskId: string; number: number } | undefined {
  const [, taskId = '', number] = /^(\w+)_([1-9]\d{0,8})$/.exec(attemptId) ?? []
  return isTaskId(taskId) ? { taskId, number: Number(number) } : undefined
}
