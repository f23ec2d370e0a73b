import { setPriority } from 'node:os'

const niceness = 10

/**
 * Lowers the scheduling priority of a process, if it is still running and the system permits it.
 */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // Either the process has ended, or the system does not permit the change. In the latter case,
    // the process keeps the default priority.
  }
}
