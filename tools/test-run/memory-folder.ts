import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const memory = '/dev/shm'
/** A run leaves less than a gigabyte there at any time. */
const freeBytesMin = 4 * 1024 ** 3

/**
 * Creates a folder in memory for the temporary files of a test run, because hundreds of databases
 * commit there and no test cuts the power. It is removed when this process exits. Null if the
 * system has no such file system, or too little memory.
 */
export function makeMemoryFolder(): string | null {
  if (!hasSpace()) return null
  const folder = mkdtempSync(path.join(memory, 'framegate-tests-'))
  // PostgreSQL runs as another user below it.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= freeBytesMin
  } catch {
    return false
  }
}
