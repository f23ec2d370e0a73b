import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const memory = '/dev/shm'
/** A run needs less than a gigabyte at any time. */
const freeBytesMin = 4 * 1024 ** 3

/**
 * Creates a folder in memory for the temporary files of a test run, because hundreds of databases
 * commit there and no test cuts the power. It is removed when this process exits. Null if the
 * system has no such file system, or too little memory.
 */
export function makeMemoryFolder(): string | null {
  if (!hasSpace()) return null
  removeLeftovers()
  const folder = mkdtempSync(path.join(memory, `framegate-tests-${process.pid}-`))
  // PostgreSQL runs as another user below it.
  chmodSync(folder, 0o711)
  process.once('exit', () => remove(folder))
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

/** Removes the folders of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = /^framegate-tests-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) remove(path.join(memory, name))
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    // A small disk of a killed test is still mounted there, or the folder is another user's.
    if (!['EBUSY', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user exists too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
