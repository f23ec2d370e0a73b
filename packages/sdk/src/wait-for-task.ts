import type { RequestOptions } from './call-options.ts'
import { FramegateError, taskFailure } from './framegate-error.ts'
import { isWorthRepeating, pause } from './retry.ts'
import type { CompletedTask, Task } from './task.ts'
import type { Answer, Transport } from './transport.ts'

export interface WaitOptions extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  /** How long to wait in all. Then it rejects with `wait_timed_out`, and the task goes on. Default: 3600. */
  timeoutSeconds?: number | undefined
  /**
   * Called with every change of status and progress as soon as it is learned, and at least every five to ten seconds. Default: nobody
   * is told.
   */
  onTask?: ((task: Task) => void) | undefined
}

const timeoutSecondsDefault = 3600
/** A service or proxy that does not answer when progress changes is asked once per interval of the polling rule. */
const heldSecondsWatched = 5
/** No state has this ETag: the first answer to a watcher comes at once. */
const unknownEtag = '"unknown"'
/** So many answers in a row that were not held may bring news each. A service that makes an ETag anew with every answer is polled. */
const quickNewsMax = 5
const quickMs = 250
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
 * polled every five to ten seconds, as it asks. For a watcher, an answer is held only until it differs from the one before.
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
  let knownEtag = onTask === undefined ? undefined : unknownEtag
  let quickNews = 0
  let lostQueries = 0
  if (task !== null) onTask?.(task)

  while (task === null || !hasEnded(task)) {
    const askedAtMs = performance.now()
    if (askedAtMs >= deadlineMs) throw waitTimedOut(path, task, timeoutSeconds)
    const heldSeconds = Math.min(heldSecondsMax, Math.ceil((deadlineMs - askedAtMs) / 1000))
    let pauseSeconds: number
    try {
      const { body, etag, retryAfterSeconds } = await queryTask(transport, path, { heldSeconds, ifNoneMatch: knownEtag }, signal)
      task = body ?? task
      lostQueries = 0
      if (task !== null) onTask?.(task)
      const tookMs = performance.now() - askedAtMs
      const isNews = knownEtag !== undefined && etag !== null && etag !== knownEtag
      if (isNews) knownEtag = etag
      quickNews = isNews && tookMs < quickMs ? quickNews + 1 : 0
      const wasHeld = tookMs >= heldSeconds * heldShare * 1000
      if (wasHeld || (isNews && quickNews <= quickNewsMax)) continue
      if (task !== null && hasEnded(task)) continue
      pauseSeconds = pollSeconds(retryAfterSeconds)
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

/** Asked once: a query that is lost costs nothing, and the loop above counts them. Null: the task is as it was. */
async function queryTask(
  transport: Transport,
  path: string,
  { heldSeconds, ifNoneMatch }: { heldSeconds: number; ifNoneMatch: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Answer<Task | null>> {
  const query = { wait: heldSeconds }
  return transport.call<Task | null>({ method: 'GET', path, query, heldSeconds, ifNoneMatch }, { signal, maxRetries: 0 })
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
