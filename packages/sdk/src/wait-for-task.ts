import type { RequestOptions } from './call-options.ts'
import { FramegateError, taskFailure } from './framegate-error.ts'
import { isWorthRepeating, pause } from './retry.ts'
import type { CompletedTask, Task } from './task.ts'
import type { Result, Transport } from './transport.ts'

export interface WaitOptions extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  /**
   * Total time limit. After it the wait rejects with `wait_timed_out`, and the task continues.
   * Default: 3600.
   */
  timeoutSeconds?: number | undefined
  /**
   * Called promptly on every change of status or progress, and at least every five to ten seconds.
   * Default: none.
   */
  onTask?: ((task: Task) => void) | undefined
}

const timeoutSecondsDefault = 3600
/**
 * Longest hold of a response with `onTask`. If a service or proxy does not respond to a change of
 * progress, the task is still queried once in this time.
 */
const heldSecondsWithOnTask = 5
/** Matches no state, so that the first response with `onTask` comes at once. */
const unknownEtag = '"unknown"'
/**
 * Limit of consecutive early responses that count as changes. Beyond it, the service seems to make
 * a new ETag for every response, and is polled instead.
 */
const quickChangesMax = 5
const quickMs = 250
/** Longest hold without `onTask`: below the minute after which many proxies time out. */
const heldSecondsWithoutOnTask = 30
/**
 * A response counts as held if it took at least this share of the requested time. The rest allows
 * for clock differences.
 */
const heldShare = 0.8
const pollSecondsMin = 5
const pollSecondsMax = 10
/**
 * Limit of consecutive lost queries. They span at least a minute, enough for a service to restart.
 */
const lostQueriesMax = 12

/**
 * Follows a task to its end. The service holds each response until the task ends or the time is up.
 * A service that does not hold responses is polled every five to ten seconds, by its `Retry-After`.
 * With `onTask`, a response is held only until it differs from the previous one.
 */
export async function waitForTask(
  transport: Transport,
  path: string,
  given: Task | string,
  { signal, onTask, onRetry, timeoutSeconds = timeoutSecondsDefault }: WaitOptions = {},
): Promise<CompletedTask> {
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  const heldSecondsMax = onTask === undefined ? heldSecondsWithoutOnTask : heldSecondsWithOnTask
  let task = typeof given === 'string' ? null : given
  let knownEtag = onTask === undefined ? undefined : unknownEtag
  let quickChanges = 0
  let lostQueries = 0
  if (task !== null) onTask?.(task)

  while (task === null || !hasEnded(task)) {
    const requestedAtMs = performance.now()
    if (requestedAtMs >= deadlineMs) throw waitTimedOut(path, task, timeoutSeconds)
    const heldSeconds = Math.min(heldSecondsMax, Math.ceil((deadlineMs - requestedAtMs) / 1000))
    let pauseSeconds: number
    try {
      const { body, etag, retryAfterSeconds } = await queryTask(transport, path, { heldSeconds, ifNoneMatch: knownEtag }, signal)
      task = body ?? task
      lostQueries = 0
      if (task !== null) onTask?.(task)
      const tookMs = performance.now() - requestedAtMs
      const isChanged = knownEtag !== undefined && etag !== null && etag !== knownEtag
      if (isChanged) knownEtag = etag
      quickChanges = isChanged && tookMs < quickMs ? quickChanges + 1 : 0
      const wasHeld = tookMs >= heldSeconds * heldShare * 1000
      if (wasHeld || (isChanged && quickChanges <= quickChangesMax)) continue
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

/**
 * Queries once without retries, because the loop above counts lost queries. Null if the task is
 * unchanged.
 */
async function queryTask(
  transport: Transport,
  path: string,
  { heldSeconds, ifNoneMatch }: { heldSeconds: number; ifNoneMatch: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Result<Task | null>> {
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
    message: `The task ${id} is still ${task?.status ?? 'running'} after ${timeoutSeconds} s and continues.`,
    ...(task !== null && { task }),
  })
}
