import type { Config } from '../config/config.ts'
import { openReader } from '../db/open-reader.ts'
import { createdAtMsOfNo, firstTaskNoAt } from '../identity/task-id.ts'

export interface FutureTasks {
  tasks: number
  /** Time at which the newest task was accepted according to its id, in Unix milliseconds. */
  newestMs: number
}

/** Tolerance for differences between the clocks of an installation's machines. */
const aheadMsMin = 5 * 60_000

/**
 * Counts the tasks whose ids have a time in the future, because a clock was ahead when they were
 * created. Returns null if there are none.
 */
export async function findFutureTasks(config: Pick<Config, 'dataDir' | 'database'>): Promise<FutureTasks | null> {
  await using reader = await openReader(config)
  const [row] = await reader.rows('select count(*) as tasks, max(no) as newest from tasks where no >= $1', [
    firstTaskNoAt(Date.now() + aheadMsMin),
  ])
  const tasks = Number(row?.['tasks'] ?? 0)
  return tasks === 0 ? null : { tasks, newestMs: createdAtMsOfNo(Number(row?.['newest'])) }
}
