import type { HoldOutcome } from './forwarded-requests.ts'
import { StoreClosed, StoreUnavailable } from './store-unavailable.ts'
import { GrantLimitExceeded } from './grant-limit-exceeded.ts'
import type { TaskRecord } from './task-queries.ts'
import type { AcceptOutcome, AssetsMissing, CreditsRefusal, NewTask } from './task-queue.ts'
import type { WriteOutcome } from './write-operations.ts'

/**
 * An outcome of either store. Some outcomes of PostgreSQL have other fields, which are not read
 * here.
 */
type AnyOutcome = WriteOutcome | { kind: 'replayed' } | { kind: 'due' } | { kind: 'claimed' }

type RefusingOutcome = Extract<WriteOutcome, { kind: 'insufficient_credits' | 'spending_limit' | 'too_many_in_flight' }>

function creditsRefusalOf(outcome: RefusingOutcome): CreditsRefusal {
  if (outcome.kind === 'insufficient_credits') return { kind: outcome.kind, balanceMicroCredits: outcome.balance }
  if (outcome.kind === 'too_many_in_flight') return outcome
  const { kind, period, max, spent } = outcome
  return { kind, period, maxMicroCredits: max, spentMicroCredits: spent }
}

/**
 * Converts the outcome of a submit that was not accepted. The stores convert the outcome `replayed`
 * themselves.
 */
export function refusedAccept(outcome: Exclude<AnyOutcome, null | { kind: 'replayed' }>): AcceptOutcome {
  switch (outcome.kind) {
    case 'key_reused':
      return { kind: 'key_reused' }
    case 'assets_missing':
      return outcome
    case 'insufficient_credits':
    case 'spending_limit':
    case 'too_many_in_flight':
      return creditsRefusalOf(outcome)
    case 'failed':
      return { kind: outcome.code === 'unavailable' ? 'overloaded' : 'failed', cause: failureOf(outcome) }
    default:
      return { kind: 'failed', cause: failureOf(outcome) }
  }
}

/** Converts the outcome of `find_refusal`. Throws if the check has failed. */
export function refusalOf(outcome: AnyOutcome): CreditsRefusal | AssetsMissing | null {
  switch (outcome?.kind) {
    case undefined:
      return null
    case 'assets_missing':
      return outcome
    case 'insufficient_credits':
    case 'spending_limit':
    case 'too_many_in_flight':
      return creditsRefusalOf(outcome)
    default:
      throw failureOf(outcome)
  }
}

/** Converts the outcome of a hold. Throws for any failure except an unavailable database. */
export function holdOutcomeOf(outcome: WriteOutcome): HoldOutcome {
  switch (outcome?.kind) {
    case undefined:
      return { kind: 'held' }
    case 'missed':
      return { kind: 'no_slot' }
    case 'insufficient_credits':
      return { kind: outcome.kind, balanceMicroCredits: outcome.balance }
    case 'spending_limit':
      return { kind: outcome.kind, period: outcome.period, maxMicroCredits: outcome.max, spentMicroCredits: outcome.spent }
    case 'failed':
      if (outcome.code === 'unavailable') return { kind: 'unavailable', mayBeHeld: false }
      throw failureOf(outcome)
    default:
      throw failureOf(outcome)
  }
}

export function failureOf(outcome: AnyOutcome): Error {
  if (outcome?.kind === 'grant_limit_exceeded') return new GrantLimitExceeded(outcome.granted)
  if (outcome?.kind === 'failed' && outcome.code === 'closed') return new StoreClosed(outcome.message)
  if (outcome?.kind === 'failed' && outcome.code === 'unavailable')
    return new StoreUnavailable({ cause: new Error(outcome.message), reason: outcome.reason ?? null })
  if (outcome?.kind === 'failed') return new Error(`the database refused a write: ${outcome.message}`, { cause: outcome.code })
  return new Error(`unexpected outcome of a write: ${outcome?.kind ?? 'done'}`)
}

/** The record of a task right after its acceptance. */
export function acceptedRecord(task: NewTask): TaskRecord {
  return {
    id: task.id,
    accountNo: task.accountNo,
    model: task.model,
    modelVersionNo: task.modelVersionNo,
    object: task.object,
    parameters: task.parameters,
    status: 'queued',
    progress: 0,
    priceMicroCredits: task.priceMicroCredits,
    priceNo: task.priceNo,
    chargedMicroCredits: null,
    version: 1,
    startedAtMs: null,
    endedAtMs: null,
    errorCode: null,
    errorMessage: null,
    results: [],
  }
}
