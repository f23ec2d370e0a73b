import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const memory = '/dev/shm'
/** Minimum free space in `/dev/shm`. A run uses less than a gigabyte of it at any time. */
const freeBytesMin = 4 * 1024 ** 3

/**
 * Creates a folder in memory for the temporary files of a test run, because hundreds of databases
 * write there, and no test needs files that survive a power failure. The folder is removed when
 * this process exits. Returns null if the system has no file system in memory, or too little free
 * space in it.
 */
export function makeMemoryFolder(): string | null {
  if (!hasEnoughSpace()) return null
  removeLeftovers()
  const folder = mkdtempSync(path.join(memory, `framegate-tests-${process.pid}-`))
  // PostgreSQL runs as another user, with its data in a subfolder.
  chmodSync(folder, 0o711)
  process.once('exit', () => remove(folder))
  return folder
}

function hasEnoughSpace(): boolean {
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

/** Removes a folder, if possible. Otherwise, the next run tries it again. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A killed test left a file system mounted there, or the folder belongs to another user.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
