import type { Config } from '../config/config.ts'
import { openReader } from '../db/open-reader.ts'
import { createdAtMsOfNo, firstTaskNoAt } from '../identity/task-id.ts'

export interface FutureTasks {
  tasks: number
  /** Time of acceptance of the newest task, taken from its id, in Unix milliseconds. */
  newestMs: number
}

/** The clocks of an installation's machines are assumed to differ by less than this. */
const aheadMsMin = 5 * 60_000

/**
 * Counts the tasks whose ids have a time in the future. Such ids are created while a clock is
 * ahead. Returns null if there are none.
 */
export async function findFutureTasks(config: Pick<Config, 'dataDir' | 'database'>): Promise<FutureTasks | null> {
  await using reader = await openReader(config)
  const [row] = await reader.rows('select count(*) as tasks, max(no) as newest from tasks where no >= $1', [
    firstTaskNoAt(Date.now() + aheadMsMin),
  ])
  const tasks = Number(row?.['tasks'] ?? 0)
  return tasks === 0 ? null : { tasks, newestMs: createdAtMsOfNo(Number(row?.['newest'])) }
}
