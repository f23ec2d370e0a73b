import type { Kysely } from 'kysely'
import { taskIdOf, taskNoOf } from '../identity/task-id.ts'
import type { ExpiredResult, NewPreview, TaskRecord } from './task-queries.ts'
import type { Tables } from './tables.ts'

/**
 * Number of recent tasks that the service checks at start-up for files that a crash left behind.
 * The check takes some tens of milliseconds.
 */
const recentTasksMax = 10_000

/**
 * Returns the ids of the tasks that were started and then failed, among the last `recentTasksMax`
 * accepted ones.
 */
export async function listRecentlyFailed(database: Kysely<Tables>): Promise<string[]> {
  const rows = await database
    .selectFrom((builder) => builder.selectFrom('tasks').selectAll().orderBy('no', 'desc').limit(recentTasksMax).as('recent'))
    .select(['no', 'tail'])
    .where('status', '=', 'failed')
    .where('started_at', 'is not', null)
    .execute()
  return rows.map((row) => taskIdOf(row.no, row.tail))
}

/**
 * Lists results whose retention has expired and whose files still exist, oldest expiry first,
 * without the first `skipCount`.
 */
export async function listExpiredResults(
  database: Kysely<Tables>,
  limit: number,
  nowMs: number,
  skipCount: number,
): Promise<ExpiredResult[]> {
  const rows = await database
    .selectFrom('results')
    .innerJoin('tasks', 'tasks.no', 'results.task_no')
    .select(['results.object_key', 'tasks.no', 'tasks.tail'])
    .where('removed_at', 'is', null)
    .where('expires_at', '<=', nowMs)
    .orderBy('expires_at')
    .limit(limit)
    .offset(skipCount)
    .execute()
  return rows.map((row) => ({ objectKey: row.object_key, taskId: taskIdOf(row.no, row.tail) }))
}

/**
 * Records that the files of results were removed, and removes the generated texts of their tasks.
 * If a task is deleted, the rows of these results are deleted too.
 */
export async function markRemoved(database: Kysely<Tables>, results: ExpiredResult[], nowMs: number): Promise<void> {
  const objectKeys = results.map((result) => result.objectKey)
  const taskNumbers = results.map((result) => taskNoOf(result.taskId))
  await database
    .updateTable('results')
    .set({ removed_at: nowMs })
    .where('task_no', 'in', taskNumbers)
    .where('object_key', 'in', objectKeys)
    .execute()
  await database
    .updateTable('tasks')
    .set({ made_text: null })
    .where('no', 'in', taskNumbers)
    .where('made_text', 'is not', null)
    .execute()
  await database
    .deleteFrom('results')
    .where('task_no', 'in', taskNumbers)
    .where('object_key', 'in', objectKeys)
    .where('task_no', 'in', (builder) =>
      builder.selectFrom('tasks').select('no').where('no', 'in', taskNumbers).where('deleted_at', 'is not', null),
    )
    .execute()
}

/**
 * Records a preview. Returns false if the result has expired or its task is deleted, because the
 * files of the result may already have been removed. The caller then removes the preview's file.
 */
export async function recordPreview(
  database: Kysely<Tables>,
  { taskId, objectKey, kind, preview }: NewPreview,
  nowMs: number,
): Promise<boolean> {
  const [bytes, sha256] = [preview?.sizeBytes ?? 0, preview?.sha256 ?? null]
  const { numUpdatedRows } = await database
    .updateTable('results')
    .set({
      previews_until: null,
      ...(kind === 'thumbnail'
        ? { thumbnail_bytes: bytes, thumbnail_sha256: sha256 }
        : { spritesheet_bytes: bytes, spritesheet_sha256: sha256 }),
    })
    .where('task_no', '=', taskNoOf(taskId))
    .where('object_key', '=', objectKey)
    .where('removed_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Returns the record of the task with the thumbnail of one of its results added. */
export function withThumbnail(task: TaskRecord, { objectKey, preview }: NewPreview): TaskRecord {
  const results = task.results.map((result) => (result.objectKey === objectKey ? { ...result, thumbnail: preview } : result))
  return { ...task, results, version: task.version + (preview === null ? 1 : 0) }
}
