import type { AdminAttempt, UnresolvedReason } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { attemptIdOf, readAttemptId } from '../identity/attempt-id.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import { mapNullable } from '../lib/map-nullable.ts'
import { isTaskId, taskIdOf, taskNoOf, taskTailOf } from '../identity/task-id.ts'

/** The columns that identify an attempt. They also determine its position in the list. */
export interface AttemptKey {
  taskNo: number
  tail: string
  number: number
}

/** Parses the id of an attempt. Returns undefined if it is not valid. */
export function readAttemptKey(id: string): AttemptKey | undefined {
  const attempt = readAttemptId(id)
  return attempt && { taskNo: taskNoOf(attempt.taskId), tail: taskTailOf(attempt.taskId), number: attempt.number }
}

/** Query for the attempts in the operator API, newest first. */
function selectAttempts(database: Kysely<Tables>) {
  return database
    .selectFrom('all_task_attempts as attempt')
    .innerJoin('all_tasks as task', 'task.no', 'attempt.task_no')
    .innerJoin('accounts as account', 'account.no', 'task.account_no')
    .selectAll('attempt')
    .select(['task.tail', 'task.model', 'account.id as account', 'account.name as account_name'])
    .orderBy('attempt.task_no', 'desc')
    .orderBy('attempt.number', 'desc')
}

export interface AttemptFilters {
  isUnresolvedOnly: boolean
  reason: UnresolvedReason | undefined
  taskId: string | undefined
  /** Cursor: the last attempt of the previous page. */
  before: AttemptKey | undefined
}

export async function listAttempts(database: Kysely<Tables>, filters: AttemptFilters, limit: number): Promise<AdminAttempt[]> {
  const { isUnresolvedOnly, reason, taskId, before } = filters
  let select = selectAttempts(database).limit(limit)
  if (isUnresolvedOnly) select = select.where('attempt.unresolved', 'is not', null).where('attempt.closed_at', 'is', null)
  if (reason !== undefined) select = select.where('attempt.unresolved', '=', reason)
  if (taskId !== undefined) {
    if (!isTaskId(taskId)) return []
    select = select.where('attempt.task_no', '=', taskNoOf(taskId)).where('task.tail', '=', taskTailOf(taskId))
  }
  if (before !== undefined) {
    select = select
      .where('attempt.task_no', '<=', before.taskNo)
      .where((builder) =>
        builder.or([builder('attempt.task_no', '<', before.taskNo), builder('attempt.number', '<', before.number)]),
      )
  }
  return (await select.execute()).map(attemptView)
}

export async function findAttempt(
  database: Kysely<Tables>,
  { taskNo, tail, number }: AttemptKey,
): Promise<AdminAttempt | undefined> {
  const row = await selectAttempts(database)
    .where('attempt.task_no', '=', taskNo)
    .where('attempt.number', '=', number)
    .where('task.tail', '=', tail)
    .executeTakeFirst()
  return row && attemptView(row)
}

type AttemptRow = Awaited<ReturnType<ReturnType<typeof selectAttempts>['execute']>>[number]

function attemptView(row: AttemptRow): AdminAttempt {
  const task = taskIdOf(row.task_no, row.tail)
  return {
    object: 'attempt',
    id: attemptIdOf(task, row.number),
    task,
    model: row.model,
    account: row.account,
    account_name: row.account_name,
    route: row.route,
    status: row.state === 'assigned' || row.state === 'starting' || row.state === 'started' ? 'running' : row.state,
    started: toSeconds(row.started_at),
    ended: mapNullable(row.ended_at, toSeconds),
    error: row.reason,
    detail: row.detail,
    operation: mapNullable(row.operation, (operation) => JSON.parse(operation) as unknown),
    cost: row.cost,
    cost_unit: row.cost_unit,
    cost_credits: row.snapshot_no === 0 && row.ended_at !== null ? 0 : mapNullable(row.paid, creditsOf),
    reason: row.unresolved,
    resolved_at: mapNullable(row.closed_at, toSeconds),
    resolution: row.closing,
    note: row.closing_note,
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
