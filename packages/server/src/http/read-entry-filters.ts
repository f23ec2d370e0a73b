import type { adminEntryParameters } from '@framegate/contract'
import type { EntryPageQuery } from '../credits/list-entries.ts'
import { isTaskId } from '../lib/task-id.ts'
import { invalidParameter, type QueryOf } from './query-parameters.ts'

/** Which entries of a ledger are asked for. */
export function readEntryFilters(given: QueryOf<typeof adminEntryParameters>): Omit<EntryPageQuery, 'accountNo' | 'accountId'> {
  const { limit, cursor, kind, task, created_after, created_before } = given
  if (task !== undefined && !isTaskId(task)) throw invalidParameter('task', 'task must be the id of a task.')
  return {
    limit,
    ...(cursor !== undefined && { cursor }),
    ...(kind !== undefined && { kind }),
    ...(task !== undefined && { taskId: task }),
    ...(created_after !== undefined && { createdFromMs: created_after * 1000 }),
    ...(created_before !== undefined && { createdUntilMs: created_before * 1000 }),
  }
}
