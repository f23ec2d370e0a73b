import type { RequestOptions } from './call-options.ts'
import { FramegateError, taskFailure } from './framegate-error.ts'
import { isWorthRepeating, pause } from './retry.ts'
import type { CompletedTask, Task } from './task.ts'
import type { Answer, Transport } from './transport.ts'

export interface WaitOptions extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  /** How long to wait in all. Then it rejects with `wait_timed_out`, and the task goes on. Default: 3600. */
  timeoutSeconds?: number | undefined
  /** Called with every state that is learned, at least every five to ten seconds. Default: nobody is told. */
  onTask?: ((task: Task) => void) | undefined
}

const timeoutSecondsDefault = 3600
/** Progress ends no held answer, so whoever watches it asks once per interval of the polling rule. */
const heldSecondsWatched = 5
/** Below the minute after which proxies give up. */
const heldSecondsUnwatched = 30
/** An answer that took at least this share of the time was held, give or take both clocks. */
const heldShare = 0.8
const pollSecondsMin = 5
const pollSecondsMax = 10
/** Queries in a row that may go without an answer: at least a minute, in which a service can start again. */
const lostQueriesMax = 12

/**
 * Follows a task to its end. The service holds each answer until the task ends or the time is up; one that does not is
 * polled every five to ten seconds, as it asks.
 */
export async function waitForTask(
  transport: Transport,
  path: string,
  given: Task | string,
  { signal, onTask, onRetry, timeoutSeconds = timeoutSecondsDefault }: WaitOptions = {},
): Promise<CompletedTask> {
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  const heldSecondsMax = onTask === undefined ? heldSecondsUnwatched : heldSecondsWatched
  let task = typeof given === 'string' ? null : given
  let lostQueries = 0
  if (task !== null) onTask?.(task)

  while (task === null || !hasEnded(task)) {
    const askedAtMs = performance.now()
    if (askedAtMs >= deadlineMs) throw waitTimedOut(path, task, timeoutSeconds)
    const heldSeconds = Math.min(heldSecondsMax, Math.ceil((deadlineMs - askedAtMs) / 1000))
    let pauseSeconds: number
    try {
      const answer = await queryTask(transport, path, heldSeconds, signal)
      task = answer.body
      lostQueries = 0
      onTask?.(task)
      const wasHeld = performance.now() - askedAtMs >= heldSeconds * heldShare * 1000
      if (wasHeld || hasEnded(task)) continue
      pauseSeconds = pollSeconds(answer.retryAfterSeconds)
    } catch (error) {
      lostQueries += 1
      if (lostQueries > lostQueriesMax || !isWorthRepeating(error)) throw error
      pauseSeconds = Math.max(error.retryAfterSeconds ?? 0, pollSecondsMin)
      onRetry?.({ error, count: lostQueries, delaySeconds: pauseSeconds })
    }
    await pause(Math.min(pauseSeconds, Math.max(0, (deadlineMs - performance.now()) / 1000)), signal)
  }
  if (task.status === 'failed') throw taskFailure(task)
  return task as CompletedTask
}

/** Asked once: a query that is lost costs nothing, and the loop above counts them. */
async function queryTask(
  transport: Transport,
  path: string,
  heldSeconds: number,
  signal: AbortSignal | undefined,
): Promise<Answer<Task>> {
  return transport.call<Task>({ method: 'GET', path, query: { wait: heldSeconds }, heldSeconds }, { signal, maxRetries: 0 })
}

function hasEnded({ status }: Task): boolean {
  return status === 'completed' || status === 'failed'
}

function pollSeconds(retryAfterSeconds: number | null): number {
  return Math.min(Math.max(retryAfterSeconds ?? pollSecondsMin, pollSecondsMin), pollSecondsMax)
}

function waitTimedOut(path: string, task: Task | null, timeoutSeconds: number): FramegateError {
  const id = task?.id ?? decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  return new FramegateError({
    code: 'wait_timed_out',
    message: `The task ${id} is still ${task?.status ?? 'running'} after ${timeoutSeconds} s and goes on.`,
    ...(task !== null && { task }),
  })
}
