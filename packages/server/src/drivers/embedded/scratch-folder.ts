import { mkdirSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Folder of finished files that wait for their collection. It is used by one process and emptied at
 * its start.
 */
export interface ScratchFolder {
  pathOf(fileName: string): string
  /** Returns the path of a new file. Creates the folder again if it was removed. */
  newFile(fileName: string): Promise<string>
  removeFile(fileName: string): Promise<void>
  remove(): Promise<void>
}

/** Empties the folder. Files of an earlier process are rendered again instead of reused. */
export function openScratchFolder(folder: string): ScratchFolder {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const pathOf = (fileName: string): string => path.join(folder, path.basename(fileName))
  return {
    pathOf,
    async newFile(fileName) {
      await mkdir(folder, { recursive: true })
      return pathOf(fileName)
    },
    removeFile: (fileName) => rm(pathOf(fileName), { force: true }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
