import { sql, type Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { unlessDeleted } from '../db/unless-deleted.ts'

/** Time after which an overdue attempt is no longer watched (`dispatch/watch-overdue.ts`). */
const watchPeriodMs = 7 * 24 * 60 * 60 * 1000

/**
 * Removes the operations (the drivers' records of jobs) of deleted tasks' attempts once these jobs
 * are no longer watched. The query uses the index `task_attempts_unresolved_idx`.
 */
export async function clearUnresolved(database: Kysely<Tables>, nowMs: number): Promise<void> {
  await database
    .updateTable('task_attempts')
    .set({ operation: unlessDeleted(sql.ref('operation')) })
    .where('unresolved', 'is not', null)
    .where('closed_at', 'is', null)
    .where('operation', 'is not', null)
    .where('ended_at', '<', nowMs - watchPeriodMs)
    .where('task_no', 'in', (builder) =>
      builder
        .selectFrom('tasks')
        .select('no')
        .where('deleted_at', 'is not', null)
        .whereRef('tasks.no', '=', 'task_attempts.task_no'),
    )
    .execute()
}
