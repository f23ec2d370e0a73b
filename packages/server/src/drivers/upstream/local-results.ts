import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFolder } from '../../lib/create-folder.ts'
import { errorCodeOf } from '../../lib/error-code.ts'
import { findFileError } from '../../lib/file-error.ts'
import { undefinedIfMissing } from '../../lib/undefined-if-missing.ts'
import type { LocalFile } from '../driver.ts'

/** Names the stored bytes of a result. Of small results, it also has the size and the SHA-256. */
export type KeptResult = { kept: string; sizeBytes?: number; sha256?: string }

/** Maximum size of results that are hashed at once. This takes less than a millisecond. */
const hashedBytesMax = 256 * 1024
/** Pauses between writes to a folder that is full or not writable. The bytes stay in memory meanwhile. */
const storageWaitMs = { first: 1_000, max: 10_000, total: 10 * 60_000 }
/** Maximum size of all results that wait in memory. */
const defaultWaitingBytesMax = 256 * 1024 * 1024

/**
 * Stores results that an upstream returns only once, in the response to the submit. They are
 * written before the operation that names them is committed, so they survive a restart. They are
 * removed when they are collected.
 */
export interface LocalResults {
  /**
   * Stores the bytes of a result of an attempt. The positions of the stored results are consecutive.
   * A second call with the same attempt and position replaces the bytes, but not the contents of a
   * file that was returned for them. With a signal, waits up to ten minutes for space and for a
   * writable folder, because the upstream will not return the bytes again. If the signal aborts, or
   * if the waiting results would take too much memory, rejects with the error of the file system.
   */
  store(attemptId: string, position: number, bytes: Buffer, signal?: AbortSignal): Promise<KeptResult>
  fileOf(result: KeptResult): LocalFile
  open(result: KeptResult, signal: AbortSignal): Readable
  /**
   * Removes the results of the attempt, if there are any. Results of earlier versions stay until the
   * next start of the service.
   */
  remove(attemptId: string): Promise<void>
}

export function openLocalResults(folder: string, waitingBytesMax = defaultWaitingBytesMax): LocalResults {
  let waitingBytes = 0
  const pathOf = (name: string): string => path.join(folder, path.basename(path.dirname(name)), path.basename(name))
  return {
    async store(attemptId, position, bytes, signal) {
      const name = nameOf(attemptId, position)
      try {
        await write(pathOf(name), bytes)
      } catch (error) {
        const mayWait = findFileError(error) !== undefined && waitingBytes + bytes.byteLength <= waitingBytesMax
        if (signal === undefined || !mayWait) throw error
        waitingBytes += bytes.byteLength
        await retryWriting(pathOf(name), bytes, signal, error).finally(() => (waitingBytes -= bytes.byteLength))
      }
      const { byteLength: sizeBytes } = bytes
      return { kept: name, ...(sizeBytes <= hashedBytesMax && { sizeBytes, sha256: hash('sha256', bytes) }) }
    },
    fileOf: ({ kept, sizeBytes, sha256 }) => ({
      path: pathOf(kept),
      isSynced: true,
      known: sizeBytes === undefined || sha256 === undefined ? undefined : { sizeBytes, sha256 },
    }),
    open: ({ kept }, signal) => createReadStream(pathOf(kept), { signal }),
    async remove(attemptId) {
      let position = 0
      while (await removeIfPresent(pathOf(nameOf(attemptId, position)))) position++
    },
  }
}

/**
 * Returns the name of a file in the folder of all attempts. Earlier versions had a folder for each
 * attempt. Creating and removing folders takes much more CPU time: ext4 does not reuse the inode of
 * a removed folder for minutes, and each new folder and file searches past such inodes.
 */
function nameOf(attemptId: string, position: number): string {
  return `${attemptId}.${position}`
}

/** Removes a file. Returns false if there is none. */
async function removeIfPresent(file: string): Promise<boolean> {
  return (await undefinedIfMissing(unlink(file).then(() => true))) ?? false
}

async function retryWriting(file: string, bytes: Buffer, signal: AbortSignal, firstError: unknown): Promise<void> {
  const untilMs = performance.now() + storageWaitMs.total
  let lastError = firstError
  for (let waitMs = storageWaitMs.first; performance.now() < untilMs; waitMs = Math.min(2 * waitMs, storageWaitMs.max)) {
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    try {
      return await write(file, bytes)
    } catch (error) {
      lastError = error
      if (findFileError(error) === undefined) break
    }
  }
  throw lastError
}

async function write(file: string, bytes: Buffer): Promise<void> {
  try {
    await createFile(file, bytes)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'ENOENT') {
      await createFolder(path.dirname(file))
      await createFile(file, bytes)
    } else if (code === 'EEXIST') {
      await rm(`${file}.next`, { force: true })
      await createFile(`${file}.next`, bytes)
      await rename(`${file}.next`, file)
    } else throw error
  }
}

async function createFile(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes, { flag: 'wx', flush: true })
}

/** Returns the file of an output that was stored on this machine. */
export function keptFileOf({ location }: { location: unknown }, results: Pick<LocalResults, 'fileOf'>): LocalFile | undefined {
  const isKept = typeof location === 'object' && location !== null && 'kept' in location
  return isKept ? results.fileOf(location as KeptResult) : undefined
}
