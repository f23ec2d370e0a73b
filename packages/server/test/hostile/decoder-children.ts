import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollIntervalMs = 5

/**
 * Returns the image decoders among the child processes of a process, as the kernel reports them.
 */
export const decoderPidsOf = (parent: number): number[] => childrenOf(parent, /decoder-child/)

/** Waits until the process has a decoder, and returns the process id of the first. */
export const decoderPidOf = (parent: number): Promise<number> => firstOf(() => decoderPidsOf(parent))

/** Returns the media probers among the child processes of a process. */
export const proberPidsOf = (parent: number): number[] => childrenOf(parent, /prober-child|misbehaving-prober/)

/** Waits until the process has a prober, and returns the process id of the first. */
export const proberPidOf = (parent: number): Promise<number> => firstOf(() => proberPidsOf(parent))

/** Lists the children of all threads, because the kernel lists children per thread. */
function childrenOf(parent: number, program: RegExp): number[] {
  return threadsOf(parent)
    .flatMap((thread) => textOf(`/proc/${parent}/task/${thread}/children`).split(' '))
    .map(Number)
    .filter((pid) => pid > 0 && program.test(textOf(`/proc/${pid}/cmdline`)))
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

async function firstOf(find: () => number[]): Promise<number> {
  for (;;) {
    const [pid] = find()
    if (pid !== undefined) return pid
    await sleep(pollIntervalMs)
  }
}

/** Waits until the process has used this much CPU time since its start. */
export async function untilBusy(pid: number, secondsMin: number): Promise<void> {
  while (cpuSecondsOf(pid) < secondsMin) await sleep(pollIntervalMs)
}

/** Whether the process is alive. A zombie is not. */
export function isAlive(pid: number): boolean {
  const state = fieldsOf(pid)[0]
  return state !== undefined && state !== 'Z'
}

export function residentBytes(pid: number): number {
  const pages = Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0)
  return pages * 4096
}

/** CPU time in user and kernel mode, for a kernel with 100 clock ticks per second. */
export function cpuSecondsOf(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** Returns the fields after the name in `/proc/PID/stat`: the state, the parent, and so on. */
function fieldsOf(pid: number): string[] {
  const line = textOf(`/proc/${pid}/stat`)
  return line === '' ? [] : line.slice(line.lastIndexOf(')') + 2).split(' ')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
