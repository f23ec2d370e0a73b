import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import path from 'node:path'

/**
 * Difference to the niceness of the service. A service thread at 0 gets about ten times the CPU
 * share of a thread at 10.
 */
const nicenessDifference = 10

/**
 * Lowers the priority of the calling thread, and of the threads that it starts later, below the
 * thread that serves requests. `setPriority` changes a single thread only on Linux. On other
 * systems, or if /proc is hidden, this does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // The first thread of a process has the id of the process.
    const niceness = Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + nicenessDifference)
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // The thread keeps the priority of the service, as on other systems.
  }
}
