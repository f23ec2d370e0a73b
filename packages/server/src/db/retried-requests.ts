import type { Kysely } from 'kysely'
import { taskIdOf, taskNoOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'

/** Time for which the idempotency key of a client is remembered. */
export const idempotencyRetentionMs = 24 * 60 * 60 * 1000

/**
 * Finds the task of a retried request, by the client's idempotency key or by a key that the service
 * has generated (`identity/generated-key.ts`).
 */
export interface RetriedRequests {
  /**
   * Finds the task that was created with this `Idempotency-Key` of a client. Undefined: the account
   * has no task with this key, or the key has expired.
   */
  findTaskOfKey(accountNo: number, key: string): Promise<TaskOfKey | undefined>
  /**
   * Returns the account's generated keys for the request with this digest whose tasks were accepted
   * at `sinceMs` or later: at most `countMax`, oldest first.
   */
  findGeneratedKeys(search: GeneratedKeySearch): Promise<GeneratedKey[]>
  /** Returns false if the task no longer has this key. Both keys must contain the same digest. */
  replaceGeneratedKey(taskId: string, key: string, newKey: string): Promise<boolean>
  /** Removes the generated keys of these tasks. Other keys stay. */
  removeGeneratedKeys(taskIds: readonly string[]): Promise<void>
  /** Removes all keys of these tasks, so that a retry of their request creates new tasks. */
  removeKeys(taskIds: readonly string[]): Promise<void>
}

export interface GeneratedKeySearch {
  accountNo: number
  /** Digest of the whole request. */
  digest: string
  sinceMs: number
  countMax: number
}

export interface GeneratedKey {
  taskId: string
  key: string
}

/** The task of an idempotency key, with the values that a retry must match. */
export interface TaskOfKey {
  id: string
  model: string
  /** The parameters as `writeParameters` returns them. */
  parameters: string
  /** Digest of the request without its model and parameters. */
  digest: string
}

/** Implements `replaceGeneratedKey` for SQLite and PostgreSQL. */
export async function replaceGeneratedKey(
  database: Kysely<Tables>,
  taskId: string,
  key: string,
  newKey: string,
): Promise<boolean> {
  const replaced = await database
    .updateTable('idempotency_keys')
    .set({ key: newKey })
    .where('task_no', '=', taskNoOf(taskId))
    .where('key', '=', key)
    .executeTakeFirst()
  return replaced.numUpdatedRows === 1n
}

/** Implements `removeKeys` for SQLite and PostgreSQL. */
export async function removeKeys(database: Kysely<Tables>, taskIds: readonly string[]): Promise<void> {
  await database.deleteFrom('idempotency_keys').where('task_no', 'in', taskIds.map(taskNoOf)).execute()
}

/**
 * Selects a task by an account's key, or by its number. The key of a task below `oldestNo` has
 * expired, so the search by key skips this task.
 */
type KeyCondition = { accountNo: number; key: string; oldestNo: number } | { taskNo: number }

export async function readTaskOfKey(database: Kysely<Tables>, condition: KeyCondition): Promise<TaskOfKey | undefined> {
  const tasksWithKeys = database
    .selectFrom('idempotency_keys')
    .innerJoin('tasks', 'tasks.no', 'idempotency_keys.task_no')
    .select(['tasks.no', 'tasks.tail', 'tasks.model', 'tasks.parameters', 'idempotency_keys.digest'])
  const row =
    'taskNo' in condition
      ? await tasksWithKeys.where('idempotency_keys.task_no', '=', condition.taskNo).executeTakeFirst()
      : await tasksWithKeys
          .where('idempotency_keys.account_no', '=', condition.accountNo)
          .where('idempotency_keys.key', '=', condition.key)
          .where('idempotency_keys.task_no', '>=', condition.oldestNo)
          .executeTakeFirst()
  if (row === undefined) return undefined
  const { no, tail, ...fields } = row
  return { id: taskIdOf(no, tail), ...fields }
}
