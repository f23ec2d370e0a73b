import type { TaskObject } from '@framegate/contract'
import { taskNoOf, taskTailOf } from '../identity/task-id.ts'
import type { ForwardedEnd, ForwardRoute, NewForwardedRequest } from './forwarded-requests.ts'
import type { DistributedEvents, TaskWebhook } from './event-log.ts'
import type { Statement } from './statement.ts'
import type { TaskRange } from './task-history.ts'
import type { StoredResults } from './task-queries.ts'
import type {
  AssetsMissing,
  AttemptCost,
  AttemptEnding,
  AttemptNote,
  Attempt,
  ClaimedImages,
  Failure,
  LaneGrant,
  Lease,
  NewTask,
  PoolChange,
  PoolState,
  TaskCheck,
  WaitingLane,
} from './task-queue.ts'

/**
 * Messages between the main thread and the writer thread. All operations of a batch share one
 * transaction, and each operation has its own outcome. If an operation throws, every operation is
 * tried again in a transaction of its own, so that only the faulty one fails. If the database is
 * locked, all of them fail.
 *
 *   main thread    WriteBatch { operations }   ->   writer thread
 *                  <-   WriteReply { outcomes }     after the commit, in the same order
 */
export interface WriteBatch {
  nowMs: number
  /**
   * The time that decides whether grants and idempotency keys have expired. While the clock is not
   * trusted, it is earlier than `nowMs`.
   */
  expiryMs: number
  operations: WriteOperation[]
}

export interface WriteReply {
  outcomes: WriteOutcome[]
  /** Duration of the batch, including the write to disk, if there is one. */
  tookMs: number
  /** Whether the batch has recorded events. */
  hasEvents: boolean
}

export type WriteOperation =
  | AcceptOperation
  | { kind: 'find_refusal'; accountNo: number; keyNo: number | null; price: number; assetIds?: readonly string[] }
  /** `uses`: numbers of keys, each followed by the time at which the key was last used. */
  | { kind: 'record_key_uses'; uses: number[] }
  | { kind: 'take_due'; leaseMs: number; countMax: number }
  | { kind: 'claim'; lanes: readonly LaneGrant[]; leaseMs: number }
  | { kind: 'find_task_of_key'; accountNo: number; key: string }
  | FindGeneratedKeys
  | { kind: 'remove_generated_keys'; taskNos: readonly number[] }
  | { kind: 'read_pools' }
  | { kind: 'check_write' }
  | { kind: 'begin'; no: number; fence: number; attempt: number }
  | { kind: 'move_lane'; no: number; from: number; to: number }
  | { kind: 'change_pool'; pool: number; change: PoolChange }
  | { kind: 'release_slot'; no: number; attempt: number }
  | { kind: 'mark_reply_lost'; no: number; attempt: number }
  | { kind: 'record_operation'; no: number; fence: number; attempt: number; operation: string }
  | { kind: 'renew'; no: number; fence: number; progress: number; leaseMs: number }
  | { kind: 'retry_later'; no: number; fence: number; end: AttemptEnding; dueAtMs: number }
  | { kind: 'release'; no: number; fence: number }
  | { kind: 'release_held'; no: number; extraStatements: Statement[] }
  | CompleteOperation
  | { kind: 'fail'; no: number; fence: number; failure: Failure; note: AttemptNote; extraStatements: Statement[] }
  | { kind: 'cancel'; no: number; failure: Failure }
  | ({ kind: 'grant'; extraStatements: Statement[] } & NewGrant)
  | ({ kind: 'adjust'; extraStatements: Statement[] } & NewAdjustment)
  | { kind: 'expire_grants' }
  | EraseOperation
  | ({ kind: 'remove_tasks' } & TaskRange)
  /** `pairs`: numbers of accounts, each followed by the number of one of its tasks. */
  | { kind: 'index_accounts'; pairs: number[]; listedUntil: number }
  | { kind: 'limits_changed' }
  | { kind: 'hold_forwarded'; request: NewForwardedRequest }
  | { kind: 'move_forwarded'; no: number; route: ForwardRoute }
  | { kind: 'end_forwarded'; no: number; end: ForwardedEnd }
  | { kind: 'renew_forwarded'; owner: string; leaseMs: number }
  | { kind: 'distribute_events'; countMax: number }
  | { kind: 'query'; query: Statement }
  | { kind: 'write_atomically'; statements: Statement[] }

export interface FindGeneratedKeys {
  kind: 'find_generated_keys'
  accountNo: number
  digest: string
  oldestNo: number
  countMax: number
}

/** A generated key, with the number and the tail of its task's id. */
export interface FoundKey {
  no: number
  tail: string
  key: string
}

export interface CompleteOperation {
  kind: 'complete'
  no: number
  fence: number
  results: StoredResults
  charge: number
  cost: AttemptCost | null
  /** The operator's cost of the attempt, micro-credits. Null: unknown. */
  paid: number | null
}

/** Returns the total duration of a task's videos in milliseconds. */
export function producedMsOf(results: StoredResults): number {
  return results.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
}

/** Removes the content of tasks. `parameters` replaces the stored parameters of a task. */
export interface EraseOperation {
  kind: 'erase'
  tasks: readonly { no: number; parameters: string }[]
  /** Whether the tasks are deleted. False: only `ErasedContent` of the kind `prompt` is removed. */
  isDeletion: boolean
  /** Number of the account whose erasure removes these tasks. Null: none. */
  erasureOf: number | null
}

export interface AcceptOperation {
  kind: 'accept'
  no: number
  tail: string
  accountNo: number
  keyNo: number | null
  model: string
  modelVersionNo: number | null
  object: TaskObject
  parameters: string
  images: string | null
  assetIds?: readonly string[]
  price: number
  priceNo: number | null
  delayMs: number
  lane: number
  key: string | null
  digest: string | null
  webhook?: TaskWebhook
}

/**
 * Null means that the operation is done. Null is the most frequent outcome, and is cheap to send
 * between threads. `missed` means that the operation had no effect, for example because the lease
 * was lost or the task has ended.
 */
export type WriteOutcome =
  | null
  | { kind: 'missed' }
  | { kind: 'replayed'; no: number }
  | { kind: 'key_reused' }
  | { kind: 'task_of_key'; no: number }
  | { kind: 'generated_keys'; keys: FoundKey[] }
  /**
   * The amount would raise the total credits that the account has received above their maximum. It
   * has already received `granted` micro-credits.
   */
  | { kind: 'grant_limit_exceeded'; granted: number }
  | { kind: 'insufficient_credits'; balance: number }
  | AssetsMissing
  | SpendingLimitExceeded
  | ExceededLimit
  | { kind: 'due'; claims: ClaimedRow[]; waiting: WaitingLane[]; pools: PoolState[] }
  | { kind: 'claimed'; claims: ClaimedRow[] }
  | { kind: 'pools'; pools: PoolState[] }
  /** Numbers of the tasks whose content was removed. */
  | { kind: 'erased'; nos: number[] }
  | { kind: 'removed_tasks'; removed: { no: number; tail: string }[]; nextNo: number | null }
  | { kind: 'distributed'; distributed: DistributedEvents }
  | { kind: 'begun'; startedAtMs: number }
  /** The result `paused` of `TaskQueue.beginAttempt`. */
  | { kind: 'paused' }
  | { kind: 'ended'; endedAtMs: number; charged: number }
  | { kind: 'rows'; rows: Record<string, unknown>[]; changes: number; lastInsertRowid: number }
  | WriteFailure

export interface WriteFailure {
  kind: 'failed'
  message: string
  /**
   * `unavailable`: a retry may succeed, and nothing was written. Exception: if `ForwardedWriter`
   * has lost its connection, its write may have been committed. `closed`: the store is closed.
   */
  code: 'unavailable' | 'closed' | 'error'
  /** Error code of the database. Left out if the database does not respond. */
  reason?: string
}

export type ExceededLimit = {
  kind: 'too_many_in_flight'
  whose: 'key' | 'account' | 'brand'
  limit: 'tasks' | 'credits'
  max: number
}
export type SpendingLimitExceeded = { kind: 'spending_limit'; period: 'day' | 'month'; max: number; spent: number }

export interface NewAdjustment {
  accountNo: number
  /** Micro-credits. */
  amount: number
  note: string
  /** Identifies the request, so that a retry has no second effect. */
  reference: string | null
}

export interface NewGrant extends NewAdjustment {
  /** Null: the credits do not expire. */
  expiresAtMs: number | null
}

export interface ClaimedRow {
  no: number
  tail: string
  fence: number
  startedAtMs: number
  images: ClaimedImages
  attempt: Attempt
}

export function acceptOperationOf(task: NewTask): AcceptOperation {
  const operation: AcceptOperation = {
    kind: 'accept',
    no: taskNoOf(task.id),
    tail: taskTailOf(task.id),
    accountNo: task.accountNo,
    keyNo: task.keyNo,
    model: task.model,
    modelVersionNo: task.modelVersionNo,
    object: task.object,
    parameters: task.parameters,
    images: task.images,
    price: task.priceMicroCredits,
    priceNo: task.priceNo,
    delayMs: task.delayMs,
    lane: task.lane,
    key: task.idempotency?.key ?? null,
    digest: task.idempotency?.digest ?? null,
  }
  if (task.assetIds !== undefined) operation.assetIds = task.assetIds
  if (task.webhook !== undefined) operation.webhook = task.webhook
  return operation
}

export function findRefusalOperation({ accountNo, keyNo, priceMicroCredits: price, assetIds }: TaskCheck) {
  return { kind: 'find_refusal', accountNo, keyNo, price, ...(assetIds && { assetIds }) } as const
}

/** Returns the fields by which a write names its task and the lease that it requires. */
export function noAndFenceOf({ id, fence }: Lease): { no: number; fence: number } {
  return { no: taskNoOf(id), fence }
}

/**
 * Completes the note about a failed attempt with defaults. By default, `paidMicroCredits` is null
 * (unknown) for an attempt that an operator must review, and 0 for any other failed attempt.
 */
export function noteOf({ detail = null, cost = null, unresolved = null, paidMicroCredits }: Partial<AttemptNote>): AttemptNote {
  const defaultPaid = unresolved === null ? 0 : null
  return { detail, cost, unresolved, paidMicroCredits: paidMicroCredits === undefined ? defaultPaid : paidMicroCredits }
}
