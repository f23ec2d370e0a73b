import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'

/** Of the scheduler's -20 to 19: the threads of the service, at 0, get about ten times the share of one at 10. */
const niceness = 10

/**
 * The thread that calls this, and those that it starts, let the thread that answers requests go first. Only on Linux does a
 * priority belong to a thread; elsewhere, and where /proc is hidden, nothing changes.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Films are then rendered at the service's own priority, as everywhere else.
  }
}
