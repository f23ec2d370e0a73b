import { isTerminal } from '@framegate/contract'
import { firstTaskNoAt, taskNoOf } from '../../identity/task-id.ts'
import type { TaskListQuery, TaskRecord } from '../task-queries.ts'
import { allTaskTables, taskColumns, taskColumnsWithoutTexts, taskRecordOf, taskTables } from '../task-record.ts'
import type { ConnectionPool } from './connections.ts'

/**
 * SQL expression for the task number below which tasks were moved to the tables of their month
 * (migration 0025). Null: none were moved.
 */
const movedBelowSql = "(select value from settings where name = 'tasks_moved_below')"

/**
 * Lists the tasks of an account, using the index tasks_account_no_idx. Running tasks have a separate
 * index, tasks_running_idx. Past tasks, which were moved to the tables of their month, are read only
 * if the page may contain some.
 */
export async function listTasks(connections: ConnectionPool, query: TaskListQuery): Promise<TaskRecord[]> {
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
  // The row comparisons limit the scan to the tasks with this status. Only tasks_running_idx has
  // the order of these row values. With an order by number alone, PostgreSQL can choose the primary
  // key, and then reads tasks of all accounts.
  const range = isRunning
    ? 't.ended_at is null and (t.account_no, t.status, t.no) < ($1, $4, $2) and (t.account_no, t.status, t.no) >= ($1, $4, $3)'
    : 't.account_no = $1 and t.no < $2 and t.no >= $3 and ($4::text is null or t.status = $4)'
  const orderColumns = isRunning ? ['t.account_no', 't.status', 't.no'] : ['t.no']
  const direction = isOldestFirst ? 'asc' : 'desc'
  const conditions = `
    where ${range} and t.deleted_at is null and ($5::text is null or t.model = $5) and ($6::text is null or t.object = $6)
    order by ${orderColumns.map((column) => `${column} ${direction}`).join(', ')}
    limit $7`
  const columns = withTexts ? taskColumns : taskColumnsWithoutTexts
  const values = [accountNo, beforeNo, fromNo, status ?? null, model ?? null, object ?? null, limit]
  const rows = await connections.read<Record<string, unknown> & { no: number; moved_below: string | null }>({
    name: `list_${isRunning ? 'running_' : ''}tasks${isOldestFirst ? '_oldest_first' : ''}${withTexts ? '_with_texts' : ''}`,
    text: `select ${columns.postgres}, ${movedBelowSql} as moved_below from ${taskTables.postgres} ${conditions}`,
    values,
  })
  if (isRunning) return rows.map(taskRecordOf)
  const movedBelowNo = Number(rows[0] === undefined ? await readMovedBelow(connections) : rows[0].moved_below)
  const lowestNo = isOldestFirst || rows.length < limit ? fromNo : (rows.at(-1)?.no ?? fromNo)
  if (lowestNo >= movedBelowNo) return rows.map(taskRecordOf)
  const withPast = await connections.read({
    text: `select ${columns.postgresWithPast} from ${allTaskTables} ${conditions}`,
    values,
  })
  return withPast.map(taskRecordOf)
}

async function readMovedBelow(connections: ConnectionPool): Promise<string | null> {
  const [row] = await connections.read<{ value: string | null }>({
    name: 'moved_below',
    text: `select ${movedBelowSql} as value`,
  })
  return row?.value ?? null
}
