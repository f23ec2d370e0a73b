import { mkdirSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Folder for the files of renders until they are collected. Only one process uses it.
 */
export interface ScratchFolder {
  pathOf(fileName: string): string
  /** Returns the path for a new file. Recreates the folder if it was removed. */
  newFile(fileName: string): Promise<string>
  removeFile(fileName: string): Promise<void>
  remove(): Promise<void>
}

/**
 * Opens the folder, and removes the files of an earlier process. Renders that are still needed are
 * started again.
 */
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
