import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of the threads of this process by their names, milliseconds. Linux only. */
export function cpuByThreadMs(): Record<string, number> {
  const byName: Record<string, number> = {}
  for (const id of readdirSync('/proc/self/task')) {
    try {
      const name = readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim()
      const [nanoseconds] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')
      byName[name] = (byName[name] ?? 0) + Number(nanoseconds) / 1e6
    } catch {
      // The thread has ended in the meantime.
    }
  }
  return byName
}
