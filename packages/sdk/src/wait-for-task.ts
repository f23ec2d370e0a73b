import type { RequestOptions } from './call-options.ts'
import { followTask, hasEnded } from './follow-task.ts'
import { FramegateError, taskFailure } from './framegate-error.ts'
import { isRetryable, pause } from './retry.ts'
import { startTimeout } from './start-timeout.ts'
import type { CompletedTask, Task } from './task.ts'
import type { Result, Transport } from './transport.ts'

export interface WaitOptions extends Pick<RequestOptions, 'signal' | 'onRetry'> {
  /**
   * Total timeout in seconds, after which the call rejects with `wait_timed_out` and the task
   * continues. Default: 3600.
   */
  timeoutSeconds?: number | undefined
  /**
   * Called after each change of status or progress, and sometimes without a change. Default: none.
   */
  onTask?: ((task: Task) => void) | undefined
  /**
   * How to wait: `stream` receives changes over an event stream, `long_poll` uses long polling, and
   * `poll` queries the task every five to ten seconds. Default: `auto`, a stream or, if the stream
   * fails, long polling.
   */
  mode?: 'auto' | 'stream' | 'long_poll' | 'poll' | undefined
}

const timeoutSecondsDefault = 3600
/**
 * Timeout for the first bytes of a stream. Long polling then replaces the stream, because a proxy
 * may be buffering its events.
 */
const firstBytesSecondsMax = 5
/**
 * Maximum time of a long poll with `onTask`. It limits the delay of a progress update if the
 * service or a proxy does not respond to a change.
 */
const longPollSecondsWithOnTask = 5
/** An ETag that no task has, so that the first response with `onTask` is immediate. */
const unknownEtag = '"unknown"'
/**
 * Maximum number of consecutive responses with a new ETag within `quickMs`. After more of them, the
 * client assumes that every response has a new ETag, and polls at intervals instead.
 */
const quickChangesMax = 5
const quickMs = 250
/** Maximum time of a long poll without `onTask`. Many proxies time out after a minute. */
const longPollSecondsWithoutOnTask = 30
/**
 * Fraction of the requested time after which the service is considered to have held the response.
 * It is below 1 because clocks may differ slightly.
 */
const fullPollShare = 0.8
const pollSecondsMin = 5
const pollSecondsMax = 10
/**
 * Maximum number of consecutive failed queries. The pauses after them add up to at least a minute,
 * which is long enough for a restart of the service.
 */
const failedQueriesMax = 12

/**
 * Waits until a task ends. In the modes `auto` and `stream`, follows an event stream. In the mode
 * `auto`, a failed or missing stream is not retried, and queries replace it. The other modes only
 * send queries.
 *
 * The service holds the response to a query until the task ends or the requested time has passed
 * (long polling); with `onTask`, only until the task changes. In the mode `poll`, or if the service
 * does not support long polling, the client queries the task every five to ten seconds, according
 * to the `Retry-After` of the response. The query after a failed one does not use long polling,
 * because a proxy may abort long requests.
 */
export async function waitForTask(
  transport: Transport,
  path: string,
  idOrTask: Task | string,
  { signal, onTask, onRetry, timeoutSeconds = timeoutSecondsDefault, mode = 'auto' }: WaitOptions = {},
): Promise<CompletedTask> {
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  const longPollSecondsMax = onTask ? longPollSecondsWithOnTask : longPollSecondsWithoutOnTask
  let task = typeof idOrTask === 'string' ? null : idOrTask
  let knownEtag = onTask === undefined || mode === 'poll' ? undefined : unknownEtag
  let quickChanges = 0
  let failedQueries = 0
  if (task !== null) onTask?.(task)
  if ((task === null || !hasEnded(task)) && (mode === 'auto' || mode === 'stream')) {
    for await (const next of followUntil(deadlineMs, transport, path, { signal, onRetry, mayFail: mode === 'auto' })) {
      task = next
      onTask?.(task)
    }
  }

  while (task === null || !hasEnded(task)) {
    const requestedAtMs = performance.now()
    if (requestedAtMs >= deadlineMs) throw waitTimedOut(path, task, timeoutSeconds)
    const isHeld = mode !== 'poll' && failedQueries === 0
    const longPollSeconds = isHeld ? Math.min(longPollSecondsMax, Math.ceil((deadlineMs - requestedAtMs) / 1000)) : undefined
    let pauseSeconds: number
    try {
      const { body, etag, retryAfterSeconds } = await queryTask(
        transport,
        path,
        { longPollSeconds, ifNoneMatch: knownEtag },
        signal,
      )
      task = body ?? task
      failedQueries = 0
      if (task !== null) onTask?.(task)
      const durationMs = performance.now() - requestedAtMs
      const isChanged = knownEtag !== undefined && etag !== null && etag !== knownEtag
      if (isChanged) knownEtag = etag
      quickChanges = isChanged && durationMs < quickMs ? quickChanges + 1 : 0
      // The next query follows at once after a change, after a long poll of the full duration, and
      // after a query that did not use long polling because an earlier query had failed.
      const isNextDue = longPollSeconds === undefined ? mode !== 'poll' : durationMs >= longPollSeconds * fullPollShare * 1000
      if (isNextDue || (isChanged && quickChanges <= quickChangesMax)) continue
      if (task !== null && hasEnded(task)) continue
      pauseSeconds = pollSeconds(retryAfterSeconds)
    } catch (error) {
      failedQueries += 1
      if (failedQueries > failedQueriesMax || !isRetryable(error)) throw error
      pauseSeconds = Math.max(error.retryAfterSeconds ?? 0, pollSecondsMin)
      onRetry?.({ error, count: failedQueries, delaySeconds: pauseSeconds })
    }
    await pause(Math.min(pauseSeconds, Math.max(0, (deadlineMs - performance.now()) / 1000)), signal)
  }
  if (task.status === 'failed') throw taskFailure(task)
  return task as CompletedTask
}

/**
 * Yields the task immediately and after each change, until it ends or until the deadline. With
 * `mayFail`, the first failure of the stream ends the iteration without an error.
 */
async function* followUntil(
  deadlineMs: number,
  transport: Transport,
  path: string,
  { signal, onRetry, mayFail }: Pick<WaitOptions, 'signal' | 'onRetry'> & { mayFail: boolean },
): AsyncGenerator<Task> {
  const timeout = startTimeout((deadlineMs - performance.now()) / 1000, signal)
  try {
    signal?.throwIfAborted()
    const limits = mayFail ? { failuresMax: 0, firstBytesSecondsMax } : { onRetry }
    yield* followTask(transport, path, { signal: timeout.signal, ...limits })
  } catch (error) {
    signal?.throwIfAborted()
    // If the error persists, the queries that follow report it.
    if (!mayFail && !timeout.signal.aborted) throw error
  } finally {
    timeout.stop()
  }
}

/**
 * Queries the task once, without retries, because the loop above counts failed queries. The body is
 * null if the task is unchanged.
 */
async function queryTask(
  transport: Transport,
  path: string,
  { longPollSeconds, ifNoneMatch }: { longPollSeconds: number | undefined; ifNoneMatch: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Result<Task | null>> {
  const query = { wait: longPollSeconds }
  const call = { method: 'GET', path, query, longPollSeconds: longPollSeconds ?? 0, ifNoneMatch } as const
  return transport.call<Task | null>(call, { signal, maxRetries: 0 })
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
