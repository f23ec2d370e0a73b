import type { FailureCode } from '@framegate/contract'
import type { Selectable } from 'kysely'
import { taskIdOf } from '../identity/task-id.ts'
import type { Improvement, GeneratedText, StoredPreview, StoredResult, TaskRecord } from './task-queries.ts'
import type { ResultRow, TaskRow } from './tables/task-tables.ts'

const baseColumns = `
  t.no, t.tail, t.account_no, t.model, t.model_version_no, t.object, t.parameters, t.status, t.progress, t.price, t.price_no,
  t.charged, t.version, t.started_at, t.ended_at, t.error_code, t.error_message, t.deleted_at, t.improvement,
  r.object_key, r.content_type, r.size_bytes, r.sha256, r.width, r.height, r.duration_ms, r.seed, r.expires_at, r.removed_at,
  r.thumbnail_bytes, r.thumbnail_sha256`

const resultFields = [
  'object_key',
  'content_type',
  'size_bytes',
  'sha256',
  'width',
  'height',
  'duration_ms',
  'seed',
  'expires_at',
  'removed_at',
  'thumbnail_bytes',
  'thumbnail_sha256',
] as const

/**
 * Column with the results of a task except the first, as a JSON array. A query thus returns one row
 * for each task. Most tasks have only one result.
 */
const otherResults = {
  sqlite: `
  case when r.task_no is not null then (
    select json_group_array(json_object(${resultFields.map((name) => `'${name}', o.${name}`).join(', ')}) order by o.position)
    from results o where o.task_no = t.no and o.position > 0
  ) end as other_results`,
  postgres: `
  case when r.task_no is not null then other_results(t.no) end as other_results`,
  postgresWithPast: `
  case when r.task_no is not null then (
    select json_agg(row_to_json(o) order by o.position)::text from all_results o where o.task_no = t.no and o.position > 0
  ) end as other_results`,
}

/** The columns of a task and of its results. `postgresWithPast` has those of `allTaskTables`. */
export const taskColumns = {
  sqlite: `${baseColumns}, t.made_text, ${otherResults.sqlite}`,
  postgres: `${baseColumns}, t.made_text, ${otherResults.postgres}`,
  postgresWithPast: `${baseColumns}, t.made_text, ${otherResults.postgresWithPast}`,
}

/** The same columns without the texts of text tasks, because these texts may be long. */
export const taskColumnsWithoutTexts = {
  sqlite: `${baseColumns}, ${otherResults.sqlite}`,
  postgres: `${baseColumns}, ${otherResults.postgres}`,
  postgresWithPast: `${baseColumns}, ${otherResults.postgresWithPast}`,
}

/**
 * Tasks with their first results. The limit in the subquery for PostgreSQL prevents the planner
 * from reading all results while its statistics are still those of an empty table.
 */
export const taskTables = {
  sqlite: 'tasks t left join results r on r.task_no = t.no and r.position = 0',
  postgres: 'tasks t left join lateral (select * from results r where r.task_no = t.no and r.position = 0 limit 1) r on true',
}
/** Like `taskTables`, but includes past tasks. */
export const allTaskTables = 'all_tasks t left join all_results r on r.task_no = t.no and r.position = 0'

type ResultFields = Pick<Selectable<ResultRow>, (typeof resultFields)[number]>
type JoinedRow = Selectable<TaskRow> &
  Omit<ResultFields, 'object_key'> & { object_key: string | null; other_results?: string | null }

/** Converts a row of `taskColumns` to the task record. */
export function taskRecordOf(untypedRow: Record<string, unknown>): TaskRecord {
  // The cast is safe: the columns are those listed above, and the migrations give them these types.
  const row = untypedRow as unknown as JoinedRow
  const results = resultsOf(row)
  return {
    id: taskIdOf(row.no, row.tail),
    accountNo: row.account_no,
    model: row.model,
    modelVersionNo: row.model_version_no,
    object: row.object,
    // Erased text is padded with spaces.
    parameters: row.parameters.trimEnd(),
    status: row.status,
    progress: row.progress,
    priceMicroCredits: row.price,
    priceNo: row.price_no,
    chargedMicroCredits: row.charged,
    // The removal of a file and the failure to create a thumbnail change what clients see, but not
    // the task's row. They therefore raise the version here.
    version:
      row.version +
      (results.some(({ removed }) => removed) ? 1 : 0) +
      results.filter(({ thumbnail }) => thumbnail === null).length,
    startedAtMs: row.started_at,
    endedAtMs: row.ended_at,
    errorCode: row.error_code as FailureCode | null,
    errorMessage: row.error_message,
    results,
    ...contentOf(row),
    ...(row.deleted_at !== null && row.deleted_at !== undefined && { isDeleted: true as const }),
  }
}

/** The texts of the task. Erased content is null or consists of spaces. */
function contentOf({
  made_text,
  improvement,
}: Pick<JoinedRow, 'made_text' | 'improvement'>): Pick<TaskRecord, 'generatedText' | 'improvement'> {
  return {
    ...(isPresent(made_text) && { generatedText: JSON.parse(made_text) as GeneratedText }),
    ...(isPresent(improvement) && { improvement: JSON.parse(improvement) as Improvement }),
  }
}

function isPresent(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trimEnd() !== ''
}

function resultsOf({ object_key, other_results, ...fields }: JoinedRow): StoredResult[] {
  if (object_key === null) return []
  const firstResult = resultOf({ object_key, ...fields })
  if (other_results === null || other_results === undefined || other_results === '[]') return [firstResult]
  return [firstResult, ...(JSON.parse(other_results) as ResultFields[]).map(resultOf)]
}

function resultOf(row: ResultFields): StoredResult {
  return {
    objectKey: row.object_key,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    durationMs: row.duration_ms,
    seed: row.seed,
    expiresAtMs: row.expires_at,
    removed: row.removed_at !== null,
    ...thumbnailOf(row),
  }
}

/** The row of a task that has just ended lacks these columns. */
function thumbnailOf({ thumbnail_bytes, thumbnail_sha256 }: Partial<ResultFields>): Pick<StoredResult, 'thumbnail'> {
  if (thumbnail_bytes === null || thumbnail_bytes === undefined) return {}
  return { thumbnail: storedPreviewOf(thumbnail_bytes, thumbnail_sha256 ?? '') }
}

/** Returns null for the mark (0 bytes) of a result from which no preview can be created. */
export function storedPreviewOf(sizeBytes: number, sha256: string): StoredPreview | null {
  return sizeBytes === 0 ? null : { sizeBytes, sha256 }
}
