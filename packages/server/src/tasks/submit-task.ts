import type { AcceptOutcome, Store, TaskRecord } from '../db/store.ts'
import { StoreUnavailable } from '../db/store-unavailable.ts'
import { AppError } from '../lib/app-error.ts'
import { unreachable } from '../lib/unreachable.ts'
import { creditsRefused } from './credits-refused.ts'
import { digestUnkept } from './digest-unkept.ts'
import { assetIdsOf, refuseMissingAssets } from './named-assets.ts'
import { writeParameters } from './parameters-text.ts'
import { simulatedRefusal } from './simulated-refusal.ts'
import { prepareTask, type TaskRequest, type TaskRules } from './prepare-task.ts'

export interface TaskIntake extends TaskRules {
  store: Pick<Store, 'accept' | 'find'>
  nextTaskId: () => string
}

export interface Submission extends TaskRequest {
  idempotencyKey: string | null
}

export interface SubmittedTask {
  task: TaskRecord
  /**
   * True when the idempotency key refers to an existing task: no task was created and nothing more
   * is held.
   */
  replayed: boolean
  /** A simulation in which the client must not receive a response. */
  isAnswerLost: boolean
}

const retryAfterSeconds = '2'

/**
 * Holds the price and queues the task. Calls back after the commit, and throws errors that are
 * found without the store. Uses callbacks, like the store, so that one loop responds to a batch of
 * accepted tasks.
 */
export function submitTask(
  intake: TaskIntake,
  submission: Submission,
  answer: (outcome: SubmittedTask | AppError) => void,
): void {
  const { principal, idempotencyKey } = submission
  const { model, parameters, lane, priceMicroCredits, priceNo, maxAmountMicroCredits, simulate } = prepareTask(intake, submission)
  if (simulate?.refuse_with !== undefined) throw simulatedRefusal(simulate.refuse_with)
  const stored = writeParameters(parameters, simulate)
  const task = {
    id: intake.nextTaskId(),
    accountNo: principal.accountNo,
    keyNo: principal.keyNo,
    model: model.id,
    object: model.object,
    parameters: stored.parameters,
    pictures: stored.pictures,
    ...(stored.pictures !== null && assetIdsOf(parameters)),
    priceMicroCredits,
    priceNo,
    lane,
    delayMs: (simulate?.queued_seconds ?? 0) * 1000,
    idempotency:
      idempotencyKey === null ? null : { key: idempotencyKey, digest: digestUnkept(stored.pictures, maxAmountMicroCredits) },
  }
  intake.store.accept(task, (outcome) => {
    if (outcome.kind === 'accepted') answer({ task: outcome.task, replayed: false, isAnswerLost: simulate?.lose_answer === true })
    else if (outcome.kind === 'replayed') replay(intake, outcome.taskId, answer)
    else if (outcome.kind === 'assets_missing') answer(refuseMissingAssets(outcome, parameters))
    else answer(refusal(outcome, priceMicroCredits))
  })
}

function replay(intake: TaskIntake, taskId: string, answer: (outcome: SubmittedTask | AppError) => void): void {
  void intake.store
    .find(taskId)
    .then((task) => {
      // The task was deleted in the meantime.
      if (task === undefined) return keyReused()
      return { task, replayed: true, isAnswerLost: false }
    })
    .catch((cause: unknown) =>
      cause instanceof StoreUnavailable
        ? new AppError('overloaded', 'The database cannot be reached at the moment; try again shortly.', { cause })
        : new AppError('internal_error', 'The first task of this idempotency key cannot be read.', { cause }),
    )
    .then(answer)
}

type Refusal = Exclude<AcceptOutcome, { kind: 'accepted' | 'replayed' | 'assets_missing' }>

function refusal(outcome: Refusal, priceMicroCredits: number): AppError {
  switch (outcome.kind) {
    case 'key_reused':
      return keyReused()
    case 'insufficient_credits':
    case 'spending_limit':
    case 'too_many_in_flight':
      return creditsRefused(outcome, priceMicroCredits)
    case 'overloaded':
      return new AppError(
        'overloaded',
        'The service cannot accept another task at the moment. Nothing was accepted; try again shortly.',
        {
          headers: { 'retry-after': retryAfterSeconds },
        },
      )
    case 'failed':
      return new AppError(
        'internal_error',
        'It is unknown whether the task was stored; send it again with the same Idempotency-Key.',
        { cause: outcome.cause },
      )
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
