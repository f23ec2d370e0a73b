import { availableParallelism, platform } from 'node:os'
import type { Config } from './config.ts'

export const threadsMax = 64
/** The main thread and the writer thread are busy too, so more threads are no default. */
const defaultThreadsMax = 4
/** Operating systems that distribute the connections of a port over several sockets. */
const sharingPlatforms = new Set(['linux', 'freebsd', 'sunos', 'aix'])

type ThreadedConfig = Pick<Config, 'database' | 'role'>

/** Half of the cores. With one or two cores, one thread serves requests. */
export function defaultThreads(config: ThreadedConfig, cores = availableParallelism()): number {
  if (obstacleTo(config) !== null) return 1
  return Math.max(1, Math.min(defaultThreadsMax, Math.floor(cores / 2)))
}

export function threadsViolations(config: ThreadedConfig & Pick<Config, 'threads'>, source = 'FRAMEGATE_THREADS'): string[] {
  const obstacle = config.threads === 1 ? null : obstacleTo(config)
  return obstacle === null ? [] : [`${source}: must be 1, because ${obstacle}.`]
}

/** Returns the reason why only one thread may serve requests. */
function obstacleTo({ database, role }: ThreadedConfig): string | null {
  if (database.kind === 'postgres') return 'with DATABASE_URL several processes serve requests instead'
  if (role === 'worker') return 'a process with the role worker serves no requests'
  if (!sharingPlatforms.has(platform())) return 'this operating system does not distribute the connections of a port'
  return null
}
