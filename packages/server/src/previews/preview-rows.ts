import type { PreviewKind } from '@framegate/contract'
import { sql, type Kysely } from 'kysely'
import type { StoredPreview } from '../db/task-queries.ts'
import { storedPreviewOf } from '../db/task-record.ts'
import type { Tables } from '../db/tables.ts'
import { taskNoOf } from '../identity/task-id.ts'

/** Identifies a result. */
export interface ResultKey {
  taskId: string
  objectKey: string
}

/**
 * Returns the recorded preview. Null: the result cannot have one. Undefined: it was not created
 * yet.
 */
export async function readPreview(
  database: Kysely<Tables>,
  { taskId, objectKey }: ResultKey,
  kind: PreviewKind,
): Promise<StoredPreview | null | undefined> {
  const row = await database
    .selectFrom('results')
    .select([`${kind}_bytes as bytes`, `${kind}_sha256 as sha256`])
    .where('task_no', '=', taskNoOf(taskId))
    .where('object_key', '=', objectKey)
    .executeTakeFirst()
  return row === undefined || row.bytes === null ? undefined : storedPreviewOf(row.bytes, row.sha256 ?? '')
}

/**
 * Claims a result, so that only one process creates its previews. Returns false if another process
 * has a claim, or if the preview `missing` is already recorded. A claim ends when a preview is
 * recorded or the claim is released. It expires after `claimMs`, because its process may have
 * ended.
 */
export async function claimPreviews(
  database: Kysely<Tables>,
  key: ResultKey,
  { nowMs, claimMs, missing }: { nowMs: number; claimMs: number; missing?: PreviewKind | undefined },
): Promise<boolean> {
  let claim = previewsOfResult(database, key)
    .set({ previews_until: nowMs + claimMs })
    .where(sql<number>`coalesce(previews_until, 0)`, '<=', nowMs)
  if (missing !== undefined) claim = claim.where(`${missing}_bytes`, 'is', null)
  const { numUpdatedRows } = await claim.executeTakeFirst()
  return numUpdatedRows > 0
}

export async function releasePreviews(database: Kysely<Tables>, key: ResultKey): Promise<void> {
  await previewsOfResult(database, key).set({ previews_until: null }).execute()
}

function previewsOfResult(database: Kysely<Tables>, { taskId, objectKey }: ResultKey) {
  return database.updateTable('results').where('task_no', '=', taskNoOf(taskId)).where('object_key', '=', objectKey)
}
