import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 5

/** The picture decoders that are children of a process, from what the kernel knows. */
export const decoderPidsOf = (parent: number): number[] => childrenOf(parent, /decoder-child/)

/** Waits for the first one. */
export const decoderPidOf = (parent: number): Promise<number> => firstOf(() => decoderPidsOf(parent))

/** The media probers that are children of a process. */
export const proberPidsOf = (parent: number): number[] => childrenOf(parent, /prober-child|misbehaving-prober/)

/** Waits for the first one. */
export const proberPidOf = (parent: number): Promise<number> => firstOf(() => proberPidsOf(parent))

function childrenOf(parent: number, program: RegExp): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent && program.test(textOf(`/proc/${pid}/cmdline`)))
}

async function firstOf(find: () => number[]): Promise<number> {
  for (;;) {
    const [pid] = find()
    if (pid !== undefined) return pid
    await sleep(lookEveryMs)
  }
}

/** Waits until it has used so much processor time that it can only be decoding. */
export async function untilBusy(pid: number, secondsMin: number): Promise<void> {
  while (processorSeconds(pid) < secondsMin) await sleep(lookEveryMs)
}

/** A process that has ended and of which only the exit code is left does not count. */
export function isAlive(pid: number): boolean {
  const state = fieldsOf(pid)[0]
  return state !== undefined && state !== 'Z'
}

export function residentBytes(pid: number): number {
  const pages = Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0)
  return pages * 4096
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1])
}

export function processorSeconds(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** What stands behind the name in a process's line: its state, its parent, and so on. */
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
