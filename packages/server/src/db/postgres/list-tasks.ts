import { isTerminal } from '@framegate/contract'
import { firstTaskNoAt, taskNoOf } from '../../identity/task-id.ts'
import type { TaskListQuery, TaskRecord } from '../task-queries.ts'
import { taskColumns, taskColumnsWithoutTexts, taskRecordOf, taskTables } from '../task-record.ts'
import type { Connections } from './connections.ts'

/**
 * The account's tasks, newest first, along tasks_account_no_idx. Running tasks are few and have an
 * index of their own.
 */
export async function listTasks(connections: Connections, query: TaskListQuery): Promise<TaskRecord[]> {
  const { accountNo, limit, beforeId, createdFromMs, createdUntilMs, status, model, object, withTexts = false } = query
  const beforeNo = Math.min(
    createdUntilMs === undefined ? Number.MAX_SAFE_INTEGER : firstTaskNoAt(createdUntilMs),
    beforeId === undefined ? Number.MAX_SAFE_INTEGER : taskNoOf(beforeId),
  )
  const isRunning = status !== undefined && !isTerminal(status)
  const rows = await connections.read({
    name: `${isRunning ? 'list_running_tasks' : 'list_tasks'}${withTexts ? '_with_texts' : ''}`,
    text: `
      select ${(withTexts ? taskColumns : taskColumnsWithoutTexts).postgres}
      from ${taskTables}
      where ${isRunning ? 't.ended_at is null and' : ''} t.account_no = $1 and t.deleted_at is null and t.no < $2 and t.no >= $3
        and ($4::text is null or t.status = $4) and ($5::text is null or t.model = $5) and ($6::text is null or t.object = $6)
      order by t.no desc
      limit $7`,
    values: [
      accountNo,
      beforeNo,
      createdFromMs === undefined ? 0 : firstTaskNoAt(createdFromMs),
      status ?? null,
      model ?? null,
      object ?? null,
      limit,
    ],
  })
  return rows.map(taskRecordOf)
}
