import { statSync, type Stats } from 'node:fs'

/** A text that changes when the file does; empty if the file does not exist. */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : stampOf(found)
}

export function stampOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`
}
