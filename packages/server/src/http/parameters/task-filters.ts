import type { taskListParameters } from '@framegate/contract'
import type { TaskListQuery } from '../../db/task-queries.ts'
import type { QueryOf } from './query-parameters.ts'

type TaskFilters = Omit<TaskListQuery, 'accountNo' | 'limit' | 'beforeId'>
type RawTaskFilters = Omit<QueryOf<typeof taskListParameters>, 'limit' | 'cursor' | 'view' | 'q'>

/** Converts the query parameters of a task list to filters. */
export function readTaskFilters({ status, model, object, created_after, created_before }: RawTaskFilters): TaskFilters {
  return {
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(object !== undefined && { object }),
    ...(created_after !== undefined && { createdFromMs: created_after * 1000 }),
    ...(created_before !== undefined && { createdUntilMs: created_before * 1000 }),
  }
}
