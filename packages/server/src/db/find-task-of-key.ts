import { sql, type Kysely } from 'kysely'
import { taskIdOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'

/** The task of an idempotency key, with the parts that must be equal in a repeated request. */
export interface TaskOfKey {
  id: string
  model: string
  /** As `writeParameters` has written them. */
  parameters: string
  digest: string
}

/** Only called before a refusal. Undefined: the account has not used the key. */
export async function findTaskOfKey(query: Kysely<Tables>, accountNo: number, key: string): Promise<TaskOfKey | undefined> {
  const { rows } = await sql<{ no: number; tail: string; model: string; parameters: string; digest: string }>`
    select t.no, t.tail, t.model, t.parameters, k.digest
    from idempotency_keys k join tasks t on t.no = k.task_no
    where k.account_no = ${accountNo} and k.key = ${key}
    limit 1`.execute(query)
  const [row] = rows
  if (row === undefined) return undefined
  const { no, tail, model, parameters, digest } = row
  return { id: taskIdOf(no, tail), model, parameters, digest }
}
