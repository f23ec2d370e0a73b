import type { ParsedParameters } from '../catalogue/model.ts'
import { hasMediaReferences } from '../catalogue/media-references.ts'
import { taskObjectOf } from '../catalogue/token-model.ts'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { AcceptOutcome } from '../db/task-queue.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import { AppError } from '../lib/app-error.ts'
import { unreachable } from '../lib/unreachable.ts'
import { creditsError } from './credits-error.ts'
import { digestOfUnstoredFields } from './digest-of-unstored-fields.ts'
import { isSameRequest, readRejectedRequest, type ComparedRequest } from './is-same-request.ts'
import { assetIdsOf, missingAssetsError } from './named-assets.ts'
import { writeParameters } from './parameters-text.ts'
import { simulatedError } from './simulated-error.ts'
import { isGeneratedKey } from '../identity/generated-key.ts'
import { checkInputs, type InputInspector } from './check-inputs.ts'
import {
  prepareTask,
  requireMaxAmount,
  withProbedInputs,
  type PreparedTask,
  type TaskRequest,
  type TaskRules,
} from './prepare-task.ts'
import { laneWithFiles, requireLane } from './require-route.ts'

export interface SubmitTaskDependencies extends TaskRules {
  store: Pick<Store, 'accept' | 'find' | 'findTaskOfKey'>
  assets: InputInspector
  nextTaskId: () => string
}

export interface Submission extends TaskRequest {
  idempotencyKey: string | null
  /** Number of other tasks that the client's request has already created. Default: 0. */
  createdCount?: number
  /** The earlier task whose video the new task edits or extends. Default: none. */
  remixedFrom?: string | null
  /**
   * Returns a signal that aborts when the client disconnects. The field is a function, because few
   * submits need the signal.
   */
  openSignal?: () => AbortSignal
}

export interface SubmittedTask {
  task: TaskRecord
  /** The parameters of a new task. Undefined if the task existed before. */
  parameters?: ParsedParameters
  /**
   * True if the idempotency key belongs to an existing task: no task was created, and no credits
   * were held.
   */
  replayed: boolean
  /** Whether the task simulates a lost response. The caller must then send no response. */
  isResponseLost: boolean
}

const retryAfterSeconds = '2'

/**
 * Submits a task: holds its price and queues it in one commit, after which the promise resolves.
 * Rejects with an `AppError`, or with `StoreUnavailable` if the first task of an idempotency key
 * cannot be read now.
 */
export async function submitTask(dependencies: SubmitTaskDependencies, submission: Submission): Promise<SubmittedTask> {
  const { principal, idempotencyKey } = submission
  let task: PreparedTask
  try {
    const preparedTask = prepareTask(dependencies, submission)
    if (preparedTask.simulate?.refuse_with !== undefined) throw simulatedError(preparedTask.simulate.refuse_with)
    task = hasMediaReferences(preparedTask.parameters)
      ? await withCheckedFiles(dependencies, submission, preparedTask)
      : preparedTask
  } catch (error) {
    return replayRejected(dependencies, submission, error)
  }
  const { model, parameters, lane, priceMicroCredits, priceNo, billedInputs, maxAmountMicroCredits, simulate, webhookUrl } = task
  const storedTexts = writeParameters(parameters, simulate, billedInputs, {
    remixedFrom: submission.remixedFrom ?? null,
    improvesPrompt: task.improvementMicroCredits !== null,
  })
  const { images } = storedTexts
  const { taskCount } = submission
  const digest = idempotencyKey === null ? '' : digestOfUnstoredFields({ images, maxAmountMicroCredits, webhookUrl, taskCount })
  const webhook = webhookUrl === null ? null : await dependencies.webhooks.ofTasks.findOrCreate(principal.accountNo, webhookUrl)
  const outcome = await dependencies.store.accept({
    id: dependencies.nextTaskId(),
    accountNo: principal.accountNo,
    keyNo: principal.keyNo,
    model: model.id,
    modelVersionNo: model.versionNo,
    object: taskObjectOf(model),
    parameters: storedTexts.parameters,
    images,
    ...(images !== null && assetIdsOf(parameters)),
    priceMicroCredits,
    priceNo,
    lane,
    delayMs: (simulate?.queued_seconds ?? 0) * 1000,
    ...(webhook && { webhook }),
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, digest },
  })
  switch (outcome.kind) {
    case 'accepted':
      return { task: outcome.task, parameters, replayed: false, isResponseLost: simulate?.lose_answer === true }
    case 'replayed':
      return replay(dependencies, outcome.taskId)
    case 'key_reused':
      return replayWithOtherDefaults(dependencies, submission, {
        model: model.id,
        parameters: storedTexts.parameters,
        digest,
        body: submission.body,
      })
    case 'assets_missing':
      throw missingAssetsError(outcome, parameters)
    default:
      throw refusalError(outcome, priceMicroCredits, submission)
  }
}

/** Checks the input files. Returns the task with the lane and the price that they require. */
async function withCheckedFiles(
  dependencies: SubmitTaskDependencies,
  submission: Submission,
  prepared: PreparedTask,
): Promise<PreparedTask> {
  const { model, parameters, simulate, lane } = prepared
  const { principal, openSignal } = submission
  const { accountNo } = principal
  const inputs = await checkInputs(dependencies.assets, model, { accountNo, parameters, signal: openSignal?.() })
  if (inputs.length === 0) return prepared
  const task = withProbedInputs(prepared, inputs)
  requireMaxAmount(task, submission)
  const targetLane =
    simulate !== null
      ? lane
      : requireLane(model.id, laneWithFiles(dependencies.routes, model, parameters, inputs), dependencies.routes)
  return { ...task, lane: targetLane }
}

/**
 * Returns the first task of the idempotency key for a request that would be rejected now. The
 * request may be a retry of the first one, although the model or the files have changed or
 * disappeared since. Throws `rejection` if the key has no task, and `idempotency_key_reused` if the
 * first request was a different one.
 */
async function replayRejected(
  dependencies: SubmitTaskDependencies,
  submission: Submission,
  rejection: unknown,
): Promise<SubmittedTask> {
  const { principal, idempotencyKey, body, remixedFrom = null, taskCount } = submission
  if (idempotencyKey === null || isGeneratedKey(idempotencyKey)) throw rejection
  const firstTask = await dependencies.store.findTaskOfKey(principal.accountNo, idempotencyKey)
  if (firstTask === undefined) throw rejection
  const request = readRejectedRequest(body, remixedFrom, taskCount)
  if (request === null || !isSameRequest(firstTask, request)) throw keyReused()
  return replay(dependencies, firstTask.id)
}

async function replay({ store }: Pick<SubmitTaskDependencies, 'store'>, taskId: string): Promise<SubmittedTask> {
  const task = await store.find(taskId).catch((cause: unknown) => {
    if (cause instanceof StoreUnavailable) throw cause
    throw new AppError('internal_error', 'The first task of this idempotency key cannot be read.', { cause })
  })
  // An undefined task has been deleted in the meantime.
  if (task === undefined) throw keyReused()
  return { task, replayed: true, isResponseLost: false }
}

/**
 * Returns the first task of the idempotency key if the requests differ only in defaults that have
 * changed since. Otherwise, throws `idempotency_key_reused`.
 */
async function replayWithOtherDefaults(
  dependencies: SubmitTaskDependencies,
  { principal, idempotencyKey }: Submission,
  request: ComparedRequest,
): Promise<SubmittedTask> {
  const firstTask = await dependencies.store.findTaskOfKey(principal.accountNo, idempotencyKey ?? '')
  if (firstTask === undefined || !isSameRequest(firstTask, request)) throw keyReused()
  return replay(dependencies, firstTask.id)
}

type Refusal = Exclude<AcceptOutcome, { kind: 'accepted' | 'replayed' | 'assets_missing' | 'key_reused' }>

function refusalError(
  outcome: Refusal,
  priceMicroCredits: number,
  tasks: Pick<Submission, 'taskCount' | 'createdCount'>,
): AppError {
  switch (outcome.kind) {
    case 'insufficient_credits':
    case 'spending_limit':
    case 'too_many_in_flight':
      return creditsError(outcome, priceMicroCredits, { subject: 'task', ...tasks })
    case 'overloaded':
      return new AppError(
        'overloaded',
        'The service cannot accept another task at the moment. Nothing was accepted; try again shortly.',
        {
          headers: { 'retry-after': retryAfterSeconds },
          cause: outcome.cause,
        },
      )
    case 'failed':
      return new AppError('internal_error', 'It is unknown whether the task was stored; retry with the same Idempotency-Key.', {
        cause: outcome.cause,
      })
    default:
      return unreachable(outcome)
  }
}

function keyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used within the last 24 hours with another body, or for a task that was deleted; use a new key for a new request.',
    { param: 'Idempotency-Key' },
  )
}
