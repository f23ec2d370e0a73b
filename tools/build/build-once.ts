import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateOfFiles } from './state-of-files.ts'

export interface Build {
  /** The built folder. It is replaced as a whole. */
  folder: string
  /** A file of a complete build. */
  builtFile: string
  /** Records the state of the inputs from which the folder was built. */
  stampFile: string
  /** Files and folders in the repository. */
  inputs: readonly string[]
  build: (newFolder: string) => Promise<void>
}

const waitMs = 50
/** Age at which a lock belongs to a process that was killed. No build takes that long. */
const staleLockMs = 120_000

/**
 * Builds the folder unless it was built from the same inputs. If several processes need it at the
 * same time, one of them builds it, and the others wait.
 */
export async function buildOnce({ folder, builtFile, stampFile, inputs, build }: Build): Promise<void> {
  const inputState = stateOfFiles(inputs)
  const isBuilt = (): boolean => existsSync(builtFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputState
  if (isBuilt()) return
  const lockFolder = `${stampFile}.lock`
  mkdirSync(path.dirname(lockFolder), { recursive: true })
  while (!tryLock(lockFolder)) await sleep(waitMs)
  try {
    if (isBuilt()) return
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

/** Creates the folder. Returns false if another process has it. */
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
