import type { FastifyReply, FastifyRequest } from 'fastify'
import { generateKey, keyOfTask } from '../../identity/generated-key.ts'
import { digestOfText, findRetried } from '../../tasks/retried-submits.ts'
import { submitTask, type SubmittedTask } from '../../tasks/submit-task.ts'
import { principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { readRetryCount } from './read-retry-count.ts'
import { readIdempotencyKey } from '../parameters/idempotency-key.ts'
import type { HttpContext } from '../services.ts'

/** The body of one of the tasks that a request submits. */
export interface SubmittedBody {
  body: Readonly<Record<string, unknown>>
  /** Index of the task among those of the request. */
  index: number
  /** Number of tasks of the request. Default: 1. */
  taskCount?: number
  /** Id of the earlier task whose video the new task edits or extends. */
  remixedFrom?: string | null
}

/**
 * Submits a task. If the request is a retry after a lost response, returns the task of the first
 * request. OpenAI's clients mark retries with `X-Stainless-Retry-Count` instead of an
 * Idempotency-Key.
 */
export async function submitOnce(
  context: HttpContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { body, index, taskCount = 1, remixedFrom = null }: SubmittedBody,
): Promise<SubmittedTask> {
  const { store, clock, logger, telemetry } = context
  const principal = principalOf(request)
  const idempotencyKey = readIdempotencyKey(request)
  let key: string
  if (idempotencyKey !== null) {
    key = keyOfTask(idempotencyKey, index)
  } else {
    const submit = {
      accountNo: principal.accountNo,
      digest: digestOfText(`${request.raw.url} ${index} ${request.bodyBytes?.toString('latin1') ?? JSON.stringify(body)}`),
      retryCount: readRetryCount(request) ?? 0,
    }
    const earlierTask = submit.retryCount > 0 ? await findRetried({ store, clock }, submit) : undefined
    if (earlierTask !== undefined) return { task: earlierTask, replayed: true, isResponseLost: false }
    key = generateKey(submit)
  }
  const submitResult = await submitTask(context, {
    principal,
    catalogue: brandOf(request).catalogue,
    v1Family: null,
    body,
    remixedFrom,
    taskCount,
    openSignal: () => disconnectSignal(reply),
    idempotencyKey: key,
  })
  const { task, replayed } = submitResult
  if (!replayed) {
    telemetry.taskAccepted(task, { requestId: request.id, traceparent: undefined, elapsedMs: reply.elapsedTime })
    logger.debug({ requestId: request.id, task: task.id }, 'a task was accepted')
  }
  return submitResult
}
