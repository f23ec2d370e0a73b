import { AsyncLocalStorage } from 'node:async_hooks'

/** The task that code currently works for, with its attempt and route. */
export interface Work {
  readonly taskId: string
  readonly attemptId: string
  readonly routeName: string | null
}

const works = new AsyncLocalStorage<Work | undefined>()

/**
 * Runs code on behalf of this work, including everything asynchronous in it: logs and traces then
 * name the work.
 */
export function workFor<Result>(work: Work, run: () => Result): Result {
  return works.run(work, run)
}

/** Returns undefined outside any work, and within an operation that many works share. */
export function currentWork(): Work | undefined {
  return works.getStore()
}

/** Runs an operation that serves many works at once and belongs to none of them. */
export function workForMany<Result>(run: () => Result): Result {
  return works.run(undefined, run)
}

/** Fields of a log line about the current work. */
export function workFields(): object {
  const work = currentWork()
  return work === undefined ? {} : { task: work.taskId, attempt: work.attemptId, route: work.routeName }
}
