import type { Kysely } from 'kysely'
import { taskIdOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'

/** The task of an idempotency key, with the values that a repeated request must also have. */
export interface TaskOfKey {
  id: string
  model: string
  /** JSON of the parameters in the form of `writeParameters`. */
  parameters: string
  digest: string
}

/** Returns undefined if no task of the account has the key. Called only before a refusal. */
export async function findTaskOfKey(query: Kysely<Tables>, accountNo: number, key: string): Promise<TaskOfKey | undefined> {
  const row = await query
    .selectFrom('idempotency_keys')
    .innerJoin('tasks', 'tasks.no', 'idempotency_keys.task_no')
    .select(['tasks.no', 'tasks.tail', 'tasks.model', 'tasks.parameters', 'idempotency_keys.digest'])
    .where('idempotency_keys.account_no', '=', accountNo)
    .where('idempotency_keys.key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { no, tail, ...rest } = row
  return { id: taskIdOf(no, tail), ...rest }
}
