import type { DatabaseSync } from 'node:sqlite'
import type { TaskRange } from '../task-history.ts'
import type { WriteOutcome } from '../write-operations.ts'

/**
 * Removes the tasks of a range with their rows in other tables, except ledger entries and usage.
 * Tasks that are still needed stay; `TaskHistory` lists these cases.
 */
export function createRemoveTasks(database: DatabaseSync): (range: TaskRange) => WriteOutcome {
  const listTasks = database.prepare(
    'select no, tail, account_no, ended_at from tasks where no >= ? and no < ? order by no limit ? + 0',
  )
  const isNeeded = database.prepare(`
    select 1 from results where task_no = ?1 and removed_at is null
    union all
    select 1 from task_attempts
    where task_no = ?1 and (holds_slot = 1 or (unresolved is not null and closed_at is null))
    union all
    select 1 from events where task_no = ?1
    union all
    select 1 from webhook_deliveries where task_no = ?1
    limit 1`)
  const removals = ['results', 'task_attempts', 'prompts_left'].map((table) =>
    database.prepare(`delete from ${table} where task_no = ?`),
  )
  const removeFromAccount = database.prepare('delete from tasks_by_account where account_no = ? and task_no = ?')
  const removeTask = database.prepare('delete from tasks where no = ?')
  const keepFrom = database.prepare(`
    insert into settings values ('tasks_kept_from', ?1)
    on conflict (name) do update set value = max(cast(value as integer), ?1)`)

  return ({ fromNo, beforeNo, countMax }) => {
    const rows = listTasks.all(fromNo, beforeNo, countMax)
    const removedTasks: { no: number; tail: string }[] = []
    for (const row of rows) {
      const no = Number(row['no'])
      if (row['ended_at'] === null || isNeeded.get(no) !== undefined) continue
      for (const removal of removals) removal.run(no)
      removeFromAccount.run(Number(row['account_no']), no)
      removeTask.run(no)
      removedTasks.push({ no, tail: String(row['tail']) })
    }
    if (removedTasks.length > 0) keepFrom.run(beforeNo)
    const isFinished = rows.length < countMax
    return { kind: 'removed_tasks', removed: removedTasks, nextNo: isFinished ? null : Number(rows.at(-1)?.['no']) + 1 }
  }
}
