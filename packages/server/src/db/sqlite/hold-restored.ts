import type { DatabaseSync } from 'node:sqlite'
import { backupMark } from '../held-tasks.ts'
import { unfinishedTasks } from './unfinished-tasks.ts'

/**
 * Puts every unfinished task of a restored copy on hold. A database is a restored copy if an
 * operator declares it, or if `framegate backup` has marked it. An attempt that has begun is
 * resumed before its task is put on hold, because its job is known or can be looked up. An attempt
 * that was only assigned is deleted, because nothing was sent for it. The removal of the mark is
 * written to the database file itself, because `removeForeignLog` removes the log beside a marked
 * file.
 */
export function holdRestored(database: DatabaseSync, isRestored: boolean, nowMs: number): void {
  const mark = database.prepare('select 1 from settings where name = ?').get(backupMark)
  if (mark === undefined && !isRestored) return
  database.exec('begin immediate')
  try {
    database.exec(`delete from task_attempts where state = 'assigned' and task_no in (${unfinishedTasks})`)
    database
      .prepare(
        `update tasks
         set held = 1, first_due_at = null, due_at = ?, lease_until = null, virtual_start = null, goes_behind = 0,
           waits = case
             when exists (select 1 from task_attempts a where a.task_no = tasks.no and a.state in ('starting', 'started')) then 0
             else 2
           end
         where no in (${unfinishedTasks})`,
      )
      .run(nowMs)
    database.prepare('delete from settings where name = ?').run(backupMark)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
  if (mark !== undefined) emptyLog(database)
}

function emptyLog(database: DatabaseSync): void {
  if (database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0) return
  throw Object.assign(new Error('another program reads the restored copy'), { errcode: sqliteBusy })
}

const sqliteBusy = 5
