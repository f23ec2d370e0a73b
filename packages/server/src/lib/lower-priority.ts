import { setPriority } from 'node:os'

const niceness = 10

/**
 * Lowers the scheduling priority of a process, if it is still running and the system permits it.
 */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The process has ended, or the system does not permit the change, and it keeps the default
    // priority.
  }
}
