import { statSync, type Stats } from 'node:fs'

/**
 * Returns a string that changes when the file changes. Returns an empty string if the file does not
 * exist, and undefined for a folder.
 */
export function fileStamp(path: string): string | undefined {
  let stats: Stats | undefined
  try {
    stats = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // For example, ELOOP for circular links. Reading the file fails with the same code.
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
  if (stats?.isDirectory()) return undefined
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}
