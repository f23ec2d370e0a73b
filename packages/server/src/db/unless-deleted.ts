import { sql, type Expression, type RawBuilder } from 'kysely'

/**
 * SQL expression for a column of an attempt: the value, or null if the attempt's task is deleted.
 * It ensures that no upstream text is stored for a deleted task.
 */
export function unlessDeleted(value: Expression<string | null>): RawBuilder<string | null> {
  return sql`case when not exists (
    select 1 from tasks where tasks.no = task_attempts.task_no and tasks.deleted_at is not null
  ) then ${value} end`
}
