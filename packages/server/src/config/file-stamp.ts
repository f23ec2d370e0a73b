import { statSync, type Stats } from 'node:fs'

/**
 * Returns a string that changes when the file changes. Returns an empty string if the file does not
 * exist, and undefined for a folder.
 */
export function fileStamp(path: string): string | undefined {
  let found: Stats | undefined
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // For example, ELOOP for circular links. Reading the file fails with the same code.
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
  if (found?.isDirectory()) return undefined
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
}
