import type { Kysely } from 'kysely'
import { taskIdOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'
import type { TaskOfKey } from './task-queue.ts'

/** A key of an account, or the number of the task that has a key. */
type KeyCondition = { accountNo: number; key: string } | { taskNo: number }

export async function readTaskOfKey(query: Kysely<Tables>, condition: KeyCondition): Promise<TaskOfKey | undefined> {
  const tasksWithKeys = query
    .selectFrom('idempotency_keys')
    .innerJoin('tasks', 'tasks.no', 'idempotency_keys.task_no')
    .select(['tasks.no', 'tasks.tail', 'tasks.model', 'tasks.parameters', 'idempotency_keys.digest'])
  const row =
    'taskNo' in condition
      ? await tasksWithKeys.where('idempotency_keys.task_no', '=', condition.taskNo).executeTakeFirst()
      : await tasksWithKeys
          .where('idempotency_keys.account_no', '=', condition.accountNo)
          .where('idempotency_keys.key', '=', condition.key)
          .executeTakeFirst()
  if (row === undefined) return undefined
  const { no, tail, ...fields } = row
  return { id: taskIdOf(no, tail), ...fields }
}
