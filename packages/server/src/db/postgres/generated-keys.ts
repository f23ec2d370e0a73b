import { sql, type Kysely } from 'kysely'
import { generatedKeyMark, prefixOfDigest } from '../../identity/generated-key.ts'
import { firstTaskNoAt, taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import type { GeneratedKey, GeneratedKeySearch } from '../retried-requests.ts'
import type { Tables } from '../tables.ts'

/** Implements `RetriedRequests.findGeneratedKeys` with the primary key of the table. */
export async function findGeneratedKeys(
  database: Kysely<Tables>,
  { accountNo, digest, sinceMs, countMax }: GeneratedKeySearch,
): Promise<GeneratedKey[]> {
  const prefix = prefixOfDigest(digest)
  const rows = await database
    .selectFrom('idempotency_keys as k')
    .innerJoin('tasks as t', 't.no', 'k.task_no')
    .select(['t.no', 't.tail', 'k.key'])
    .where('k.account_no', '=', accountNo)
    .where('k.key', '>=', prefix)
    // The prefix ends with a space, and `!` is the next character.
    .where('k.key', '<', `${prefix.slice(0, -1)}!`)
    .where('k.task_no', '>=', firstTaskNoAt(sinceMs))
    .orderBy('k.task_no')
    .limit(countMax)
    .execute()
  return rows.map(({ no, tail, key }) => ({ taskId: taskIdOf(no, tail), key }))
}

export async function removeGeneratedKeys(database: Kysely<Tables>, taskIds: readonly string[]): Promise<void> {
  await database
    .deleteFrom('idempotency_keys')
    .where('task_no', 'in', taskIds.map(taskNoOf))
    .where(sql<boolean>`substr(key, 1, 1) = ${generatedKeyMark}`)
    .execute()
}
