import type { DatabaseSync } from 'node:sqlite'
import type { WriteOperation, WriteOutcome } from '../write-operations.ts'

type EraseOperation = Extract<WriteOperation, { kind: 'erase' }>

/**
 * Pads the remaining parameters with spaces to their former length. If rows became shorter, SQLite
 * could merge pages and move rows. Copies of the moved rows would then remain in the free space of
 * the old page.
 */
const paddedText = `
    parameters = ?1 || printf('%.*c', max(0, length(cast(parameters as blob)) - length(cast(?1 as blob))), ' ')`

const overwrittenWithSpaces = (column: string): string =>
  `case when ${column} is not null then printf('%.*c', length(cast(${column} as blob)), ' ') end`

/** Removes the content of ended tasks. Running, missing and deleted tasks are skipped. */
export function createEraseTasks(database: DatabaseSync): (operation: EraseOperation, nowMs: number) => WriteOutcome {
  const removePrompt = database.prepare(`
    update tasks
    set ${paddedText}, version = version + 1, improvement = ${overwrittenWithSpaces('improvement')},
      made_text = case when status = 'completed' then made_text else ${overwrittenWithSpaces('made_text')} end
    where no = ?2 and ended_at is not null and deleted_at is null
    returning account_no`)
  const markDeleted = database.prepare(`
    update tasks
    set ${paddedText}, version = version + 1, error_message = null, deleted_at = ?2,
      improvement = ${overwrittenWithSpaces('improvement')}, made_text = ${overwrittenWithSpaces('made_text')}
    where no = ?3 and ended_at is not null and deleted_at is null
    returning account_no`)
  const removeDetail = database.prepare('update task_attempts set detail = null where task_no = ? and detail is not null')
  // The `operation`, the driver's record of the job, is kept until the outcome of the job is known.
  const clearAttempts = database.prepare(`
    update task_attempts
    set reason = null, detail = null, closing_note = null,
      operation = case when unresolved = 'overdue' and closed_at is null then operation end
    where task_no = ?`)
  const removeImages = database.prepare('delete from task_images where task_no = ?')
  // The sweep later removes the files of expired results.
  const expireResult = database.prepare('update results set expires_at = 0, seed = null where task_no = ?')
  const removeFromIndex = database.prepare('delete from tasks_by_account where account_no = ? and task_no = ?')
  // The idempotency key stays in use until it expires, so that a retry creates no second task.
  const clearKey = database.prepare("update idempotency_keys set digest = '' where task_no = ?")
  const removeKey = database.prepare('delete from idempotency_keys where task_no = ?')
  const addToErasure = database.prepare('update erasures set tasks = tasks + ?, results = results + ? where account_no = ?')

  return ({ tasks, isDeletion, erasureOf }, nowMs) => {
    const taskNos: number[] = []
    let resultCount = 0
    for (const { no, parameters } of tasks) {
      const erasedRow = isDeletion ? markDeleted.get(parameters, nowMs, no) : removePrompt.get(parameters, no)
      if (erasedRow === undefined) continue
      taskNos.push(no)
      removeImages.run(no)
      if (!isDeletion) {
        removeDetail.run(no)
        continue
      }
      clearAttempts.run(no)
      resultCount += Number(expireResult.run(no).changes)
      removeFromIndex.run(Number(erasedRow['account_no']), no)
      if (erasureOf === null) clearKey.run(no)
      else removeKey.run(no)
    }
    if (erasureOf !== null) addToErasure.run(taskNos.length, resultCount, erasureOf)
    return { kind: 'erased', nos: taskNos }
  }
}
