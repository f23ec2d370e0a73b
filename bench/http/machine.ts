import { cpus } from 'node:os'
import { measureSyncMs } from './disk.ts'

/** Properties of the machine, which are reported with the figures that depend on them. */
export interface Machine {
  date: string
  node: string
  cpu: string
  load: string
  syncMs: number
}

export function thisMachine(load: string): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    load,
    syncMs: measureSyncMs(),
  }
}

export function machineLine({ date, node, cpu, load, syncMs: ms }: Machine): string {
  return `${date}, Node ${node}, ${cpu}, load by ${load}, ${ms.toFixed(2)} ms to sync a page to disk`
}
