import type pg from 'pg'
import type { Clock } from '../../lib/clock.ts'
import { taskIdOf, taskNoOf } from '../../identity/task-id.ts'
import type { RemovedTasks, TaskRange } from '../task-history.ts'
import type { ErasedContent, ErasedTask } from '../task-queue.ts'
import type { ChangeMessages } from './change-messages.ts'
import { channel } from './listen-connection.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { jsonOf } from './storable-text.ts'
import { queryValue, transact } from './transaction.ts'

export interface EraseDependencies {
  writer: OrderedWriter
  messages: ChangeMessages
  /** A clock that replaces the clock of the database in tests. */
  testClock: Clock | null
}

/** Removes the content of tasks. Returns the ids of the tasks whose content was removed. */
export async function eraseTasks(
  { writer, messages, testClock }: EraseDependencies,
  tasks: readonly ErasedTask[],
  content: ErasedContent,
): Promise<string[]> {
  if (tasks.length === 0) return []
  const isDeletion = content.kind === 'task'
  const erasureOf = content.kind === 'task' ? (content.erasureOf ?? null) : null
  const rowsJson = jsonOf(tasks.map(({ id, parameters }) => ({ no: taskNoOf(id), parameters })))
  const taskNos = tasks.map(({ id }) => taskNoOf(id))
  // One statement, so that no other process moves the tasks away again between the two calls.
  const sql = 'select erase_tasks($1, $2, $3, coalesce($4, database_ms())) as result from bring_back_tasks($5)'
  const values = [rowsJson, isDeletion, erasureOf, testClock?.() ?? null, taskNos]
  return await writer.run((client) =>
    transact(client, async () => {
      const erasedNos = new Set((await queryValue(client, sql, values)) as number[])
      const erasedIds = tasks.map(({ id }) => id).filter((id) => erasedNos.has(taskNoOf(id)))
      await notifyErased(client, messages, erasedIds, isDeletion)
      return erasedIds
    }),
  )
}

/** Removes tasks of a range in one commit, except those in the tables of a month. */
export async function removeTasks(
  { writer, messages }: EraseDependencies,
  { fromNo, beforeNo, countMax }: TaskRange,
): Promise<RemovedTasks> {
  return await writer.run((client) =>
    transact(client, async () => {
      const result = await queryValue(client, 'select remove_tasks($1, $2, $3) as result', [fromNo, beforeNo, countMax])
      const { removed, nextNo } = result as { removed: { no: number; tail: string }[]; nextNo: number | null }
      const ids = removed.map(({ no, tail }) => taskIdOf(no, tail))
      await notifyErased(client, messages, ids, true)
      return { ids, nextNo }
    }),
  )
}

/**
 * Notifies the other processes of removed content, in the transaction of this client. They receive
 * the notification even if this process is killed after the commit.
 */
async function notifyErased(
  client: pg.Client,
  messages: ChangeMessages,
  ids: readonly string[],
  isDeletion: boolean,
): Promise<void> {
  if (ids.length === 0) return
  const sql = 'select pg_notify($1, message) from unnest($2::text[]) as message'
  await client.query(sql, [channel, messages.erasedMessages(ids, isDeletion)])
}
