import { setPriority } from 'node:os'

const niceness = 10

/** Lowers the scheduling priority of a process. No effect if the process has ended. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The process has ended, or the system does not allow the change. In that case the process runs
    // at the default priority.
  }
}
