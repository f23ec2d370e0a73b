import { sql, type Expression, type RawBuilder } from 'kysely'

/**
 * The value for a column of an attempt, or null if the task of the attempt is deleted. Texts of the
 * upstream are therefore never stored for a deleted task.
 */
export function unlessDeleted(value: Expression<string | null>): RawBuilder<string | null> {
  return sql`case when not exists (
    select 1 from tasks where tasks.no = task_attempts.task_no and tasks.deleted_at is not null
  ) then ${value} end`
}
