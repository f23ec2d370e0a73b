import { sql, type Kysely } from 'kysely'
import { taskNoOf } from '../identity/task-id.ts'
import type { Tables } from './tables.ts'
import type { Improvement, GeneratedText } from './task-queries.ts'
import type { Lease } from './task-queue.ts'

/**
 * Writes the generated text of a task. Returns false if the lease is lost or the task has ended.
 */
export async function recordText(database: Kysely<Tables>, lease: Lease, text: GeneratedText): Promise<boolean> {
  const { numUpdatedRows } = await updateLeasedTask(database, lease)
    .set({ made_text: JSON.stringify(text) })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Writes the improvement of a running task's prompt, and raises the version of the task. Returns
 * false if the lease is lost or the task has ended.
 */
export async function recordImprovement(database: Kysely<Tables>, lease: Lease, improvement: Improvement): Promise<boolean> {
  const { numUpdatedRows } = await updateLeasedTask(database, lease)
    .set({ improvement: JSON.stringify(improvement), version: sql`version + 1` })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function updateLeasedTask(database: Kysely<Tables>, { id, fence }: Lease) {
  return database
    .updateTable('tasks')
    .where('no', '=', taskNoOf(id))
    .where('lease_fence', '=', fence)
    .where('ended_at', 'is', null)
}
