import type { entryFilterParameters } from '@framegate/contract'
import type { EntryPageQuery } from '../../credits/list-entries.ts'
import type { QueryOf } from './query-parameters.ts'

/** Filters for the entries of a ledger. */
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
