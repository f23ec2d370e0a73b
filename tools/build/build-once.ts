import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateOfFiles } from './state-of-files.ts'

export interface Build {
  /** Output folder. A build replaces all of it. */
  folder: string
  /** A file that exists only in a complete build. */
  builtFile: string
  /** File that records a digest of the inputs of the build. */
  stampFile: string
  /** Files and folders of the repository that the build depends on. */
  inputs: readonly string[]
  build: (newFolder: string) => Promise<void>
}

/** Interval at which a process tries to acquire the lock. */
const retryIntervalMs = 50
/**
 * Age at which a lock is considered stale, because its process was probably killed. No build takes
 * this long.
 */
const staleLockMs = 120_000

/**
 * Builds the folder unless it is up to date. If several processes need it at the same time, one of
 * them builds it while the others wait.
 */
export async function buildOnce({ folder, builtFile, stampFile, inputs, build }: Build): Promise<void> {
  const inputState = stateOfFiles(inputs)
  const isUpToDate = (): boolean =>
    existsSync(builtFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputState
  if (isUpToDate()) return
  const lockFolder = `${stampFile}.lock`
  mkdirSync(path.dirname(lockFolder), { recursive: true })
  while (!tryLock(lockFolder)) await sleep(retryIntervalMs)
  try {
    if (isUpToDate()) return
    rmSync(stampFile, { force: true })
    const newFolder = `${folder}.${process.pid}`
    await build(newFolder)
    rmSync(folder, { recursive: true, force: true })
    renameSync(newFolder, folder)
    writeFileSync(stampFile, inputState)
  } finally {
    rmdirSync(lockFolder)
  }
}

/** Creates the folder as a lock. Returns false if the folder exists. If the existing lock is stale,
 * removes it, so that the next call can create it. */
function tryLock(lockFolder: string): boolean {
  try {
    mkdirSync(lockFolder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const lock = statSync(lockFolder, { throwIfNoEntry: false })
  if (lock !== undefined && Date.now() - lock.mtimeMs > staleLockMs) rmSync(lockFolder, { recursive: true, force: true })
  return false
}
