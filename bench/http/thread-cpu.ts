import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the CPU time of the threads of a process in milliseconds, by the names of the threads.
 * Linux only. Default: this process.
 */
export function cpuByThreadMs(pid: number | 'self' = 'self'): Record<string, number> {
  const byName: Record<string, number> = {}
  for (const id of threadsOf(pid)) {
    try {
      const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')
      byName[name] = (byName[name] ?? 0) + Number(nanoseconds) / 1e6
    } catch {
      // The thread has ended in the meantime.
    }
  }
  return byName
}

function threadsOf(pid: number | 'self'): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has ended in the meantime.
    return []
  }
}
