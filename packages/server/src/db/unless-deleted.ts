import { sql, type Expression, type RawBuilder } from 'kysely'

/** A value of an attempt, null when its task is deleted: once such an attempt is over, nothing of what an upstream said is kept. */
export function unlessDeleted(value: Expression<string | null>): RawBuilder<string | null> {
  return sql`case when not exists (
    select 1 from tasks where tasks.no = task_attempts.task_no and tasks.deleted_at is not null
  ) then ${value} end`
}
