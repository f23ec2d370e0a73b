import { setPriority } from 'node:os'

const niceness = 10

/** Makes a process give way to others on a busy machine. A process that has ended is left alone. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It has ended, or the system does not allow it. The work is then done at the usual priority.
  }
}
