import { isTerminal } from '@framegate/contract'
import { firstTaskNoAt, taskNoOf } from '../../identity/task-id.ts'
import type { TaskListQuery, TaskRecord } from '../task-queries.ts'
import { taskColumns, taskColumnsWithoutTexts, taskRecordOf, taskTables } from '../task-record.ts'
import type { Connections } from './connections.ts'

/**
 * Lists the tasks of an account, with the index tasks_account_no_idx. Running tasks are few and
 * have a separate index.
 */
export async function listTasks(connections: Connections, query: TaskListQuery): Promise<TaskRecord[]> {
  const { accountNo, limit, beforeId, afterId, isOldestFirst, createdFromMs, createdUntilMs, status, model, object } = query
  const { withTexts = false } = query
  const beforeNo = Math.min(
    createdUntilMs === undefined ? Number.MAX_SAFE_INTEGER : firstTaskNoAt(createdUntilMs),
    beforeId === undefined ? Number.MAX_SAFE_INTEGER : taskNoOf(beforeId),
  )
  const fromNo = Math.max(
    createdFromMs === undefined ? 0 : firstTaskNoAt(createdFromMs),
    afterId === undefined ? 0 : taskNoOf(afterId) + 1,
  )
  const isRunning = status !== undefined && !isTerminal(status)
  const rows = await connections.read({
    name: `list_${isRunning ? 'running_' : ''}tasks${isOldestFirst ? '_oldest_first' : ''}${withTexts ? '_with_texts' : ''}`,
    text: `
      select ${(withTexts ? taskColumns : taskColumnsWithoutTexts).postgres}
      from ${taskTables}
      where ${isRunning ? 't.ended_at is null and' : ''} t.account_no = $1 and t.deleted_at is null and t.no < $2 and t.no >= $3
        and ($4::text is null or t.status = $4) and ($5::text is null or t.model = $5) and ($6::text is null or t.object = $6)
      order by t.no ${isOldestFirst ? 'asc' : 'desc'}
      limit $7`,
    values: [accountNo, beforeNo, fromNo, status ?? null, model ?? null, object ?? null, limit],
  })
  return rows.map(taskRecordOf)
}
