import type { Config } from '../config/config.ts'
import { openReader } from '../db/open-reader.ts'
import { createdAtMsOfNo, firstTaskNoAt } from '../identity/task-id.ts'

export interface FutureTasks {
  tasks: number
  /** Time when the newest one was accepted, by its id, in Unix milliseconds. */
  newestMs: number
}

/** Clocks of the machines of one installation are assumed to differ by less. */
const aheadMsMin = 5 * 60_000

/** Tasks whose ids are from the future, created while a clock was ahead; null if there are none. */
export async function findFutureTasks(config: Pick<Config, 'dataDir' | 'database'>): Promise<FutureTasks | null> {
  await using reader = await openReader(config)
  const [row] = await reader.rows('select count(*) as tasks, max(no) as newest from tasks where no >= $1', [
    firstTaskNoAt(Date.now() + aheadMsMin),
  ])
  const tasks = Number(row?.['tasks'] ?? 0)
  return tasks === 0 ? null : { tasks, newestMs: createdAtMsOfNo(Number(row?.['newest'])) }
}
