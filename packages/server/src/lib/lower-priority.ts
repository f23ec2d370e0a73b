import { constants, getPriority, setPriority } from 'node:os'

const nicenessDifference = 10

/**
 * Lowers the scheduling priority of a process, if it is still running and the system permits it.
 */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid === undefined) return
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority(pid) + nicenessDifference))
  } catch {
    // Either the process has ended, or the system does not permit the change. In the latter case,
    // the process keeps the default priority.
  }
}
