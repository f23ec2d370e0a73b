import type { Kysely } from 'kysely'
import { taskIdOf, taskNoOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'

/** Time for which the idempotency key of a client is remembered. */
export const idempotencyRetentionMs = 24 * 60 * 60 * 1000

/**
 * Finds the task of a request that a client repeats: by the idempotency key of the client, or by a
 * key that the service has generated (`identity/generated-key.ts`).
 */
export interface RepeatedRequests {
  /** Returns undefined if no task of the account has this idempotency key. */
  findTaskOfKey(accountNo: number, key: string): Promise<TaskOfKey | undefined>
  /**
   * Returns the keys with this digest of tasks that were accepted since this time, the oldest first,
   * and at most `countMax`.
   */
  findGeneratedKeys(search: GeneratedKeySearch): Promise<GeneratedKey[]>
  /** Returns false if the task no longer has this key. The digest in both keys must be the same. */
  replaceGeneratedKey(taskId: string, key: string, newKey: string): Promise<boolean>
  /** Removes the generated keys of these tasks. Other keys stay. */
  removeGeneratedKeys(taskIds: readonly string[]): Promise<void>
}

export interface GeneratedKeySearch {
  accountNo: number
  digest: string
  sinceMs: number
  countMax: number
}

export interface GeneratedKey {
  taskId: string
  key: string
}

/** The task of an idempotency key, with the values that a repeated request must also have. */
export interface TaskOfKey {
  id: string
  model: string
  /** JSON of the parameters in the form of `writeParameters`. */
  parameters: string
  digest: string
}

/** Implements `replaceGeneratedKey` for both engines. */
export async function replaceGeneratedKey(query: Kysely<Tables>, taskId: string, key: string, newKey: string): Promise<boolean> {
  const replaced = await query
    .updateTable('idempotency_keys')
    .set({ key: newKey })
    .where('task_no', '=', taskNoOf(taskId))
    .where('key', '=', key)
    .executeTakeFirst()
  return replaced.numUpdatedRows === 1n
}

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
