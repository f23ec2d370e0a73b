import { taskRecordOf } from '../task-record.ts'
import type { TaskRecord } from '../task-queries.ts'
import type { Attempt, PoolState, WaitingLane } from '../task-queue.ts'
import type { WriteOutcome } from '../write-operations.ts'
import type { BatchOperation } from './batch-operations.ts'

/** The result of `write_batch`. */
export interface BatchResult {
  outcomes: [number, BatchOutcome | null][]
  changed: Record<string, unknown>[] | null
  hasEvents: boolean
}

/**
 * The outcomes that both engines share, except that some contain whole rows: with several
 * processes, a row need not be in the memory of this one.
 */
export type BatchOutcome =
  | Exclude<WriteOutcome, null | { kind: 'due' | 'claimed' | 'replayed' | 'erased' | 'distributed' }>
  | { kind: 'replayed'; no: number; tail: string }
  | { kind: 'due'; claims: ClaimedTask[]; waiting: WaitingLane[]; pools: PoolState[] }
  | { kind: 'claimed'; claims: ClaimedTask[] }

export interface ClaimedTask {
  task: Record<string, unknown> & { no: number; lease_fence: number; held: number }
  hasImages: boolean
  images?: string
  attempt: Attempt
}

export interface BatchWritten {
  /** In the order of the operations. Null: done. */
  outcomes: (BatchOutcome | null)[]
  /** The current state of the tasks that have changed for a client. */
  changed: TaskRecord[]
  /** Whether the batch has recorded events. */
  hasEvents: boolean
}

/**
 * An operation that the result does not mention has a default outcome: the end of a task has
 * missed, and any other operation is done.
 */
export function readBatchResult(text: string, operations: readonly BatchOperation[]): BatchWritten {
  const result = JSON.parse(text) as BatchResult
  const outcomes: (BatchOutcome | null)[] = operations.map(({ kind }) =>
    kind === 'complete' || kind === 'fail' || kind === 'cancel' ? { kind: 'missed' } : null,
  )
  for (const [index, outcome] of result.outcomes) outcomes[index] = outcome
  return { outcomes, changed: (result.changed ?? []).map(taskRecordOf), hasEvents: result.hasEvents }
}
