import { statSync } from 'node:fs'

/**
 * A text that changes when the file does; empty if the file does not exist. Undefined for a folder.
 */
export function fileStamp(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return undefined
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
}
