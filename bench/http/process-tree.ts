import { readdirSync, readFileSync } from 'node:fs'
import { bytesPerMegabyte } from './process-figures.ts'

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10
/**
 * Positions in /proc/PID/stat after the name. The CPU times are those of the process and of its
 * ended children.
 */
const fields = { parent: 1, firstCpuTime: 11, lastCpuTime: 14 }
const bytesPerKibibyte = 1024

/**
 * Returns the CPU time in milliseconds that a process and its descendants have used. Descendants
 * that have ended count when their parents have waited for them.
 */
export function cpuMsOfTree(root: number): number {
  const ticks = processesOfTree(root)
    .flatMap((pid) => statFields(pid).slice(fields.firstCpuTime, fields.lastCpuTime + 1))
    .reduce((sum, field) => sum + Number(field), 0)
  return ticks * msPerTick
}

/**
 * Returns the memory of a process and its descendants in megabytes. A page that several processes
 * share counts once.
 */
export function memoryMbOfTree(root: number): number {
  const kibibytes = processesOfTree(root).map((pid) => Number(/^Pss: +(\d+)/m.exec(readProcFile(pid, 'smaps_rollup'))?.[1] ?? 0))
  return (kibibytes.reduce((sum, size) => sum + size, 0) * bytesPerKibibyte) / bytesPerMegabyte
}

/**
 * Returns the fields of /proc/PID/stat after the name, or an empty list if the process has ended.
 * The name is in parentheses and may contain spaces.
 */
export function statFields(pid: number): string[] {
  return readProcFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
}

/**
 * Returns the ids of a process and its descendants, each process after its parent.
 */
export function processesOfTree(root: number): number[] {
  const childrenOf = Map.groupBy(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
    (pid) => Number(statFields(pid)[fields.parent]),
  )
  const tree = [root]
  // The loop also visits the elements that it appends.
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []))
  return tree
}

function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
