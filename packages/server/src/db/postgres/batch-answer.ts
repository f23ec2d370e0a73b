import { taskRecordOf } from '../task-record.ts'
import type { Attempt, PoolState, TaskRecord, WaitingLane } from '../store.ts'
import type { WriteOutcome } from '../write-operations.ts'
import type { BatchOperation } from './batch-operations.ts'

/** What `write_batch` answers. */
export interface BatchAnswer {
  outcomes: [number, BatchOutcome | null][]
  changed: Record<string, unknown>[] | null
}

/** As the writers of both engines say it, with what another process's memory cannot know: the rest of the row. */
export type BatchOutcome =
  | Exclude<WriteOutcome, null | { kind: 'due' | 'claimed' | 'replayed' | 'erased' }>
  | { kind: 'replayed'; no: number; tail: string }
  | { kind: 'due'; claims: ClaimedTask[]; waiting: WaitingLane[]; pools: PoolState[] }
  | { kind: 'claimed'; claims: ClaimedTask[] }

export interface ClaimedTask {
  task: Record<string, unknown> & { no: number; lease_fence: number; held: number }
  hasPictures: boolean
  pictures?: string
  attempt: Attempt
}

export interface BatchWritten {
  /** In the order of the operations. Null: done. */
  outcomes: (BatchOutcome | null)[]
  /** Tasks as they are now, of which a client can see that they have changed. */
  changed: TaskRecord[]
}

/** Steps that are not mentioned were made; ends that are not have missed. */
export function readAnswer(text: string, operations: readonly BatchOperation[]): BatchWritten {
  const answer = JSON.parse(text) as BatchAnswer
  const outcomes: (BatchOutcome | null)[] = operations.map(({ kind }) =>
    kind === 'complete' || kind === 'fail' || kind === 'cancel' ? { kind: 'missed' } : null,
  )
  for (const [index, outcome] of answer.outcomes) outcomes[index] = outcome
  return { outcomes, changed: (answer.changed ?? []).map(taskRecordOf) }
}
