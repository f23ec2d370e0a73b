import { sql, type Expression, type RawBuilder } from 'kysely'

/**
 * A value of an attempt; null if its task is deleted, so that no text of the upstream is stored for
 * a deleted task.
 */
export function unlessDeleted(value: Expression<string | null>): RawBuilder<string | null> {
  return sql`case when not exists (
    select 1 from tasks where tasks.no = task_attempts.task_no and tasks.deleted_at is not null
  ) then ${value} end`
}
