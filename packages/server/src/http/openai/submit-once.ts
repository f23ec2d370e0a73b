import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { generateKey, keyOfTask } from '../../identity/generated-key.ts'
import { RunsByKey } from '../../lib/runs-by-key.ts'
import { digestOfText, findRetried, type RetriedSubmitDependencies, type RetryableSubmit } from '../../tasks/retried-submits.ts'
import { submitTask, type SubmittedTask } from '../../tasks/submit-task.ts'
import { principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { readRetryCount } from '../parameters/retry-count.ts'
import { readIdempotencyKey } from '../parameters/idempotency-key.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/** The body of one of the tasks that a request submits. */
export interface SubmittedBody {
  body: Readonly<Record<string, unknown>>
  /** Index of the task among those of the request. */
  index: number
  /** Number of tasks of the request. Default: 1. */
  taskCount?: number
  /** Number of these tasks that the request has already created. Default: 0. */
  createdCount?: number
  /** Id of the earlier task whose video the new task edits or extends. */
  remixedFrom?: string | null
  /**
   * The fields of the request, by which a retry of a form or of a large body is recognized.
   * Required if `body` depends on more than the request. Default: `body`.
   */
  fields?: Readonly<Record<string, unknown>>
}

/**
 * Submits a task. If the request is a retry after a lost response, returns the task of the first
 * request. OpenAI's clients count retries in `X-Stainless-Retry-Count` of every request, instead of
 * sending an Idempotency-Key.
 */
export async function submitOnce(
  dependencies: HttpDependencies,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { body, index, taskCount = 1, createdCount = 0, remixedFrom = null, fields = body }: SubmittedBody,
): Promise<SubmittedTask> {
  const { logger, telemetry } = dependencies
  const principal = principalOf(request)
  const idempotencyKey = readIdempotencyKey(request)
  let taskKey: string | null
  if (idempotencyKey !== null) {
    taskKey = keyOfTask(idempotencyKey, index)
  } else {
    const submit = readRetryableSubmit({ request, index, fields })
    const retriedTask = await findMarked(dependencies, submit)
    if (retriedTask !== undefined) return { task: retriedTask, replayed: true, isResponseLost: false }
    taskKey = submit === null ? null : generateKey(submit)
  }
  const submitResult = await submitTask(dependencies, {
    principal,
    catalogue: brandOf(request).catalogue,
    v1Family: null,
    body,
    remixedFrom,
    taskCount,
    createdCount,
    openSignal: () => disconnectSignal(reply),
    idempotencyKey: taskKey,
  })
  const { task, replayed } = submitResult
  if (!replayed) {
    telemetry.taskAccepted(task, { requestId: request.id, traceparent: undefined, elapsedMs: reply.elapsedTime })
    logger.debug({ requestId: request.id, task: task.id }, 'a task was accepted')
  }
  return submitResult
}

const submitsInFlight = new WeakMap<object, RunsByKey<string>>()

/**
 * Runs the submits of a request. If the client has marked the request as a retry, first waits for
 * the submits of the earlier request in this process, so that the retry finds their tasks.
 */
export async function afterEarlierSubmits<Result>(
  { store }: Pick<HttpDependencies, 'store'>,
  retryableRequest: Omit<RetryableRequest, 'index'>,
  submit: () => Promise<Result>,
): Promise<Result> {
  const retryable = readRetryableSubmit({ ...retryableRequest, index: 0 })
  if (retryable === null) return await submit()
  const runs = submitsInFlight.get(store) ?? new RunsByKey<string>()
  submitsInFlight.set(store, runs)
  return await runs.run(`${retryable.accountNo} ${retryable.digest}`, (retryable.retryCount ?? 0) > 0, submit)
}

interface RetryableRequest extends Required<Pick<SubmittedBody, 'index' | 'fields'>> {
  request: FastifyRequest
}

/**
 * Returns the task of an earlier request if the client has marked this request as a retry and it has
 * no Idempotency-Key. Used by routes that may be unable to build the body of the task again, for
 * example because a source of the task was deleted.
 */
export async function findMarkedRetry(
  dependencies: RetriedSubmitDependencies,
  retryableRequest: RetryableRequest,
): Promise<TaskRecord | undefined> {
  if (readIdempotencyKey(retryableRequest.request) !== null) return undefined
  return findMarked(dependencies, readRetryableSubmit(retryableRequest))
}

async function findMarked(
  dependencies: RetriedSubmitDependencies,
  submit: RetryableSubmit | null,
): Promise<TaskRecord | undefined> {
  return submit !== null && (submit.retryCount ?? 0) > 0 ? findRetried(dependencies, submit) : undefined
}

/** Returns null for a client that does not count its retries: they cannot be recognized. */
function readRetryableSubmit({ request, index, fields }: RetryableRequest): RetryableSubmit | null {
  const retryCount = readRetryCount(request)
  if (retryCount === null) return null
  const digest = digestOfText(`${request.raw.url} ${index} ${request.bodyBytes?.toString('latin1') ?? JSON.stringify(fields)}`)
  return { accountNo: principalOf(request).accountNo, digest, retryCount }
}
