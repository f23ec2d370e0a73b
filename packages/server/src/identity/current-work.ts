import { AsyncLocalStorage } from 'node:async_hooks'

/** The attempt on whose behalf the current code runs. */
export interface Work {
  readonly taskId: string
  readonly attemptId: string
  readonly routeName: string | null
}

const workStorage = new AsyncLocalStorage<Work | undefined>()

/**
 * Runs code on behalf of an attempt. Logs and traces of the code, including its asynchronous parts,
 * then contain the ids of the task and the attempt.
 */
export function runForAttempt<Result>(work: Work, run: () => Result): Result {
  return workStorage.run(work, run)
}

/**
 * Returns the attempt on whose behalf the current code runs. Returns undefined outside of attempts,
 * and within an operation that several attempts share.
 */
export function currentWork(): Work | undefined {
  return workStorage.getStore()
}

/**
 * Runs an operation that several attempts share, so that its logs and traces contain none of their
 * ids.
 */
export function runForManyAttempts<Result>(run: () => Result): Result {
  return workStorage.run(undefined, run)
}

/** Returns the log fields of the current attempt. */
export function workFields(): object {
  const work = currentWork()
  return work === undefined ? {} : { task: work.taskId, attempt: work.attemptId, route: work.routeName }
}
