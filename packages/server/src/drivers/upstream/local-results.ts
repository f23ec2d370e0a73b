import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/**
 * Stores results that an upstream returns only once, in the response to the submit. They are
 * written before the operation that names them is committed, so they survive a restart. They are
 * removed when they are collected.
 */
export interface LocalResults {
  /**
   * Stores the bytes of an attempt and returns their name. A second call with the same attempt and
   * position replaces the bytes.
   */
  store(attemptId: string, position: number, bytes: Buffer): Promise<string>
  open(name: string, signal: AbortSignal): Readable
  /** Removes the bytes of the attempt, if there are any. */
  remove(attemptId: string): Promise<void>
}

export function openLocalResults(folder: string): LocalResults {
  const pathOf = (name: string): string => path.join(folder, path.basename(path.dirname(name)), path.basename(name))
  return {
    async store(attemptId, position, bytes) {
      const name = `${attemptId}/${position}`
      const file = pathOf(name)
      await mkdir(path.dirname(file), { recursive: true })
      const partialFile = await open(`${file}.partial`, 'w')
      try {
        await partialFile.writeFile(bytes)
        await partialFile.sync()
      } finally {
        await partialFile.close()
      }
      await rename(`${file}.partial`, file)
      return name
    },
    open: (name, signal) => createReadStream(pathOf(name), { signal }),
    remove: (attemptId) => rm(path.join(folder, path.basename(attemptId)), { recursive: true, force: true }),
  }
}
