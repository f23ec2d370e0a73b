import type { TaskObject } from '@framegate/contract'
import type { Kysely } from 'kysely'
import { taskIdOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'

/**
 * Name of the setting that marks a database as a copy by `framegate backup`. The first process that
 * opens the copy for writing puts the unfinished tasks on hold and removes the mark, in one commit.
 */
export const backupMark = 'backup_made_at'

/** Value of `tasks.waits` for a task that is on hold and has no open attempt. */
export const onHoldMark = 2

/** Value of `tasks.held` for a task that an operator has released. */
export const releasedMark = 2

/** A task on hold: no further attempt is made until an operator releases it. */
export interface HeldTask {
  no: number
  id: string
  accountId: string
  accountName: string
  model: string
  object: TaskObject
  parameters: string
  priceMicroCredits: number
  /** Number of attempts at the task before it was put on hold. */
  attempts: number
  fence: number
}

/**
 * Lists tasks on hold after the given task number, oldest first. The query uses the index
 * tasks_held_idx.
 */
export async function listHeldTasks(database: Kysely<Tables>, limit: number, afterNo: number): Promise<HeldTask[]> {
  const rows = await selectHeld(database).where('task.no', '>', afterNo).orderBy('task.no').limit(limit).execute()
  return rows.map(heldTaskOf)
}

export async function findHeldTask(database: Kysely<Tables>, no: number): Promise<HeldTask | undefined> {
  const row = await selectHeld(database).where('task.no', '=', no).executeTakeFirst()
  return row && heldTaskOf(row)
}

export async function countHeldTasks(database: Kysely<Tables>): Promise<number> {
  const { count } = await database
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('waits', '=', onHoldMark)
    .executeTakeFirstOrThrow()
  return count
}

function selectHeld(database: Kysely<Tables>) {
  return database
    .selectFrom('tasks as task')
    .innerJoin('accounts as account', 'account.no', 'task.account_no')
    .select(['task.no', 'task.tail', 'task.model', 'task.object', 'task.parameters', 'task.price', 'task.lease_fence'])
    .select(['account.id as account', 'account.name as account_name'])
    .select((select) =>
      select
        .selectFrom('task_attempts as attempt')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('attempt.task_no', '=', 'task.no')
        .as('attempts'),
    )
    .where('task.waits', '=', onHoldMark)
}

type HeldRow = Awaited<ReturnType<ReturnType<typeof selectHeld>['execute']>>[number]

function heldTaskOf(row: HeldRow): HeldTask {
  return {
    no: row.no,
    id: taskIdOf(row.no, row.tail),
    accountId: row.account,
    accountName: row.account_name,
    model: row.model,
    object: row.object,
    parameters: row.parameters,
    priceMicroCredits: row.price,
    attempts: row.attempts ?? 0,
    fence: row.lease_fence,
  }
}
