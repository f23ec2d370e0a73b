import { readFileSync } from 'node:fs'

/** Returns the system's limit of open files and connections for this process. Infinity: unknown. */
export function openFilesMax(): number {
  try {
    const [, softLimit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return softLimit === undefined ? Infinity : Number(softLimit)
  } catch {
    return Infinity
  }
}
