import { readFileSync } from 'node:fs'

/**
 * Returns the maximum number of files and connections that this process may open. Infinity:
 * unlimited or unknown.
 */
export function openFilesMax(): number {
  try {
    const [, softLimit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return softLimit === undefined ? Infinity : Number(softLimit)
  } catch {
    return Infinity
  }
}
