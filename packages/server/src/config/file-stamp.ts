import { statSync, type Stats } from 'node:fs'

/**
 * A text that changes when the file does; empty if the file does not exist. Undefined for a folder.
 */
export function fileStamp(path: string): string | undefined {
  let found: Stats | undefined
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Such as ELOOP, for links in a circle. Reading the file then fails with this reason.
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
  if (found?.isDirectory()) return undefined
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
}
