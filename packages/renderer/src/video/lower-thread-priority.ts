import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'

/**
 * A value in the scheduler's range of -20 to 19. A service thread at 0 gets about ten times the CPU
 * share of a thread at 10.
 */
const niceness = 10

/**
 * Lowers the priority of the calling thread, and of the threads that it starts later, below the
 * thread that serves requests. `setPriority` changes a single thread only on Linux. On other
 * systems, or if /proc is hidden, this does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // The thread keeps the priority of the service, as on other systems.
  }
}
