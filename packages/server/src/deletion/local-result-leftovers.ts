import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { readAttemptId } from '../identity/attempt-id.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'

/** Maximum number of tasks in one query. */
const taskIdsMax = 1_000

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
export async function sweepLocalResults(localResultsFolder: string, database: Kysely<Tables>): Promise<void> {
  const taskIds = [...new Set((await namesIn(localResultsFolder)).flatMap((name) => taskIdOf(name) ?? []))]
  const endedTaskNos = new Set<number>()
  for (let first = 0; first < taskIds.length; first += taskIdsMax) {
    const rows = await database
      .selectFrom('all_tasks')
      .select('no')
      .where('no', 'in', taskIds.slice(first, first + taskIdsMax).map(taskNoOf))
      .where('ended_at', 'is not', null)
      .execute()
    for (const { no } of rows) endedTaskNos.add(no)
  }
  if (endedTaskNos.size === 0) return
  await removeLocalResultsOf(localResultsFolder, new Set(taskIds.filter((id) => endedTaskNos.has(taskNoOf(id)))))
}

/** Returns the task id in the name of a file, or of a folder that an earlier version created. */
function taskIdOf(name: string): string | undefined {
  return readAttemptId(name.split('.', 1)[0] ?? '')?.taskId
}

async function namesIn(folder: string): Promise<string[]> {
  return (await undefinedIfMissing(readdir(folder))) ?? []
}
