import { taskRecordOf } from '../task-record.ts'
import type { TaskRecord } from '../task-queries.ts'
import type { Attempt, ClaimedImages, PoolState, WaitingLane } from '../task-queue.ts'
import type { WriteOutcome } from '../write-operations.ts'
import type { BatchOperation } from './batch-operations.ts'

/** The result of `write_batch`. */
export interface BatchResult {
  outcomes: [number, BatchOutcome | null][]
  changed: Record<string, unknown>[] | null
  hasEvents: boolean
}

/**
 * The outcomes of `write_batch`. Unlike those of SQLite, they contain the rows of claimed tasks and
 * the last part of the id (`tail`) of a task found by its key, because another process may have
 * written these tasks.
 */
export type BatchOutcome =
  | Exclude<WriteOutcome, null | { kind: 'due' | 'claimed' | 'replayed' | 'erased' | 'distributed' }>
  | { kind: 'replayed'; no: number; tail: string }
  | { kind: 'due'; claims: ClaimedTask[]; waiting: WaitingLane[]; pools: PoolState[] }
  | { kind: 'claimed'; claims: ClaimedTask[] }

export interface ClaimedTask {
  task: Record<string, unknown> & { no: number; lease_fence: number; held: number }
  hasImages: boolean
  /** The writer reads the input files after the batch. */
  images?: ClaimedImages
  attempt: Attempt
}

export interface WrittenBatch {
  /** The outcomes in the order of the operations. Null: the operation is done. */
  outcomes: (BatchOutcome | null)[]
  /** The current records of the tasks with a change that clients can see. */
  changed: TaskRecord[]
  /** Whether the batch has recorded events. */
  hasEvents: boolean
}

/**
 * Reads the result of `write_batch`. An operation that is missing in the result has a default
 * outcome: `missed` if it ends a task, and done otherwise.
 */
export function readBatchResult(text: string, operations: readonly BatchOperation[]): WrittenBatch {
  const result = JSON.parse(text) as BatchResult
  const outcomes: (BatchOutcome | null)[] = operations.map(({ kind }) =>
    kind === 'complete' || kind === 'fail' || kind === 'cancel' ? { kind: 'missed' } : null,
  )
  for (const [index, outcome] of result.outcomes) outcomes[index] = outcome
  return { outcomes, changed: (result.changed ?? []).map(taskRecordOf), hasEvents: result.hasEvents }
}
