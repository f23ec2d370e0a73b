import type { entryFilterParameters } from '@framegate/contract'
import type { EntryPageQuery } from '../../credits/list-entries.ts'
import type { QueryOf } from './query-parameters.ts'

/** Converts the query parameters of a list of ledger entries to filters. */
export function readEntryFilters(
  filters: QueryOf<typeof entryFilterParameters>,
): Omit<EntryPageQuery, 'accountNo' | 'accountId' | 'limit' | 'cursor'> {
  const { kind, task, created_after, created_before } = filters
  return {
    ...(kind !== undefined && { kind }),
    ...(task !== undefined && { taskId: task }),
    ...(created_after !== undefined && { createdFromMs: created_after * 1000 }),
    ...(created_before !== undefined && { createdUntilMs: created_before * 1000 }),
  }
}
