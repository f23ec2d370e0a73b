import { AsyncLocalStorage } from 'node:async_hooks'

/** The task that some code works for, its attempt, and the route of it. */
export interface Work {
  readonly taskId: string
  readonly attemptId: string
  readonly routeName: string | null
}

const works = new AsyncLocalStorage<Work | undefined>()

/** Whatever this does, and whatever that waits for, is done for this work: logs and traces say so. */
export function workFor<Result>(work: Work, run: () => Result): Result {
  return works.run(work, run)
}

/** Undefined outside of any, or for what many share. */
export function currentWork(): Work | undefined {
  return works.getStore()
}

/** What is done for many works at once belongs to none of them. */
export function workForMany<Result>(run: () => Result): Result {
  return works.run(undefined, run)
}
