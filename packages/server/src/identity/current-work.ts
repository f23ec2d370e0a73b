import { AsyncLocalStorage } from 'node:async_hooks'

/** The attempt at a task that the current code works on. */
export interface Work {
  readonly taskId: string
  readonly attemptId: string
  readonly routeName: string | null
}

const works = new AsyncLocalStorage<Work | undefined>()

/**
 * Runs code on behalf of an attempt. Logs and traces of the code, including its asynchronous parts,
 * then name the task and the attempt.
 */
export function runForAttempt<Result>(work: Work, run: () => Result): Result {
  return works.run(work, run)
}

/**
 * Returns the attempt that the current code works on. Returns undefined outside any attempt, and
 * within an operation that many attempts share.
 */
export function currentWork(): Work | undefined {
  return works.getStore()
}

/**
 * Runs an operation that serves many attempts at once, so that its logs and traces name none of
 * them.
 */
export function runForManyAttempts<Result>(run: () => Result): Result {
  return works.run(undefined, run)
}

/** Returns the fields of a log line about the current attempt. */
export function workFields(): object {
  const work = currentWork()
  return work === undefined ? {} : { task: work.taskId, attempt: work.attemptId, route: work.routeName }
}
