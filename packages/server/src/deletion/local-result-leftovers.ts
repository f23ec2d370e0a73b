import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { readAttemptId } from '../identity/attempt-id.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'

/** Maximum number of files and folders that one sweep checks. */
const filesMax = 1_000

/**
 * Removes the local copies of results of these tasks. If an upstream provides a result only once,
 * the service stores the result in a file until it is collected. A late response, a killed process,
 * or a process on another machine may leave such a file behind; `sweepLocalResults` finds the file.
 */
export async function removeLocalResultsOf(localResultsFolder: string, taskIds: ReadonlySet<string>): Promise<void> {
  for (const name of await namesIn(localResultsFolder)) {
    const taskId = taskIdOf(name)
    if (taskId !== undefined && taskIds.has(taskId))
      await rm(path.join(localResultsFolder, name), { recursive: true, force: true })
  }
}

/** Removes the local copies of results whose task has ended. Nothing reads them any more. */
export async function sweepLocalResults(localResultsFolder: string, query: Kysely<Tables>): Promise<void> {
  const ids = (await namesIn(localResultsFolder)).slice(0, filesMax).flatMap((name) => taskIdOf(name) ?? [])
  if (ids.length === 0) return
  const rows = await query
    .selectFrom('all_tasks')
    .select('no')
    .where('no', 'in', ids.map(taskNoOf))
    .where('ended_at', 'is not', null)
    .execute()
  const endedTaskNos = new Set(rows.map(({ no }) => no))
  await removeLocalResultsOf(localResultsFolder, new Set(ids.filter((id) => endedTaskNos.has(taskNoOf(id)))))
}

/** Returns the task id in the name of a file, or of a folder that an earlier version created. */
function taskIdOf(name: string): string | undefined {
  return readAttemptId(name.split('.', 1)[0] ?? '')?.taskId
}

async function namesIn(folder: string): Promise<string[]> {
  return (await undefinedIfMissing(readdir(folder))) ?? []
}
