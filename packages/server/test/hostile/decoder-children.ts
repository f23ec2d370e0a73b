import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollIntervalMs = 5

/** The image decoders among the children of a process, as the kernel reports them. */
export const decoderPidsOf = (parent: number): number[] => childrenOf(parent, /decoder-child/)

/** Waits for the first decoder. */
export const decoderPidOf = (parent: number): Promise<number> => firstOf(() => decoderPidsOf(parent))

/** The media probers among the children of a process. */
export const proberPidsOf = (parent: number): number[] => childrenOf(parent, /prober-child|misbehaving-prober/)

/** Waits for the first prober. */
export const proberPidOf = (parent: number): Promise<number> => firstOf(() => proberPidsOf(parent))

/** Each thread of a process has its own list of the children that it has started. */
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

/** Waits until the process has used enough CPU time that it must be decoding. */
export async function untilBusy(pid: number, secondsMin: number): Promise<void> {
  while (processorSeconds(pid) < secondsMin) await sleep(pollIntervalMs)
}

/** A zombie process does not count as alive. */
export function isAlive(pid: number): boolean {
  const state = fieldsOf(pid)[0]
  return state !== undefined && state !== 'Z'
}

export function residentBytes(pid: number): number {
  const pages = Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0)
  return pages * 4096
}

export function processorSeconds(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** The fields after the name in the stat line of a process: its state, its parent, and so on. */
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
