import { availableParallelism, platform } from 'node:os'
import type { Config } from './config.ts'

export const threadsMax = 64
/** Maximum of the default, because the writer thread and the renderer need cores too. */
const defaultThreadsMax = 4
/** Operating systems that distribute the connections of a port over several sockets. */
const sharingPlatforms = new Set(['linux', 'freebsd', 'sunos', 'aix'])

type ThreadedConfig = Pick<Config, 'database' | 'role'>

/**
 * Returns half of the number of cores, from 1 to 4, or 1 if only one thread is possible.
 */
export function defaultThreadCount(config: ThreadedConfig, cores = availableParallelism()): number {
  if (obstacleToThreads(config) !== null) return 1
  return Math.max(1, Math.min(defaultThreadsMax, Math.floor(cores / 2)))
}

export function threadsViolations(config: ThreadedConfig & Pick<Config, 'threads'>, source = 'FRAMEGATE_THREADS'): string[] {
  const obstacle = config.threads === 1 ? null : obstacleToThreads(config)
  return obstacle === null ? [] : [`${source}: must be 1, because ${obstacle}.`]
}

/** Returns the reason why only one thread may serve requests. Null: there is none. */
function obstacleToThreads({ database, role }: ThreadedConfig): string | null {
  if (database.kind === 'postgres') return 'with DATABASE_URL several processes serve requests instead'
  if (role === 'worker') return 'a process with the role worker serves only health and metrics'
  if (!sharingPlatforms.has(platform())) return 'this operating system does not distribute the connections of a port'
  return null
}
