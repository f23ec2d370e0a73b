import { hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { rename, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { createFolder } from '../../lib/create-folder.ts'
import { errorCodeOf } from '../../lib/error-code.ts'
import { findFileError } from '../../lib/file-error.ts'
import { undefinedIfMissing } from '../../lib/undefined-if-missing.ts'
import type { LocalFile } from '../driver.ts'
import { sleepUntilAborted } from '../../lib/sleep-until-aborted.ts'

/** A result that is stored on this machine. A small result also has its size and SHA-256. */
export type LocalResult = { kept: string; sizeBytes?: number; sha256?: string }

/**
 * Maximum size of a result that is hashed when it is stored. This takes less than a millisecond.
 */
const hashedBytesMax = 256 * 1024
/**
 * First and longest pause between retries of a write to a folder that is full or not writable, and
 * the time after which the retries end. The bytes stay in memory meanwhile.
 */
const storageWaitMs = { initial: 1_000, max: 10_000, total: 10 * 60_000 }
/**
 * Flags for a new file on Linux: each write to the file is also synced to the disk. Other systems
 * need `fsync`: on macOS, it also empties the cache of the disk, and Windows has no such flag.
 */
const syncedFileFlags =
  process.platform === 'linux' ? constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_SYNC : undefined
/** Maximum total size of the results that wait in memory. */
const defaultWaitingBytesMax = 256 * 1024 * 1024

/**
 * Stores results that an upstream returns only once, in the response to the submit. A result is
 * written before the operation that names it is committed, so it survives a restart. Drivers remove
 * results after the service has collected them.
 */
export interface LocalResults {
  /**
   * Stores a result of an attempt. The positions of an attempt's results start at 0 and are
   * consecutive. A second call with the same attempt and position creates a new file in place of
   * the old one, whose contents stay unchanged for readers and hard links. With a signal, waits up
   * to ten minutes for space and for a writable folder, because the upstream will not return the
   * bytes again. Rejects with the error of the file system after that time, if the signal aborts,
   * or if the waiting results would take too much memory.
   */
  store(attemptId: string, position: number, bytes: Buffer, signal?: AbortSignal): Promise<LocalResult>
  fileOf(result: LocalResult): LocalFile
  open(result: LocalResult, signal: AbortSignal): Readable
  /**
   * Removes the results of the attempt. `resultCount` is their number, if it is known. Results that
   * an earlier version stored stay until the next start of the service.
   */
  remove(attemptId: string, resultCount?: number): Promise<void>
}

export function openLocalResults(folder: string, waitingBytesMax = defaultWaitingBytesMax): LocalResults {
  let waitingBytes = 0
  const pathOf = (name: string): string => path.join(folder, path.basename(path.dirname(name)), path.basename(name))
  return {
    async store(attemptId, position, bytes, signal) {
      const name = fileNameOf(attemptId, position)
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
      knownMedia: sizeBytes === undefined || sha256 === undefined ? undefined : { sizeBytes, sha256 },
    }),
    open: ({ kept }, signal) => createReadStream(pathOf(kept), { signal }),
    async remove(attemptId, resultCount = Infinity) {
      let position = 0
      while (position < resultCount && (await removeIfPresent(pathOf(fileNameOf(attemptId, position))))) position++
    },
  }
}

/**
 * Returns the name of a result's file. All attempts share one folder, because creating and removing
 * a folder for each of them takes much more CPU time, above all on ext4 without a journal. For
 * minutes, this file system does not reuse the inode of a removed folder, and the search for a free
 * inode has to skip such inodes.
 */
function fileNameOf(attemptId: string, position: number): string {
  return `${attemptId}.${position}`
}

async function removeIfPresent(file: string): Promise<boolean> {
  return (await undefinedIfMissing(unlink(file).then(() => true))) ?? false
}

async function retryWriting(file: string, bytes: Buffer, signal: AbortSignal, firstError: unknown): Promise<void> {
  const deadlineMs = performance.now() + storageWaitMs.total
  let lastError = firstError
  for (let waitMs = storageWaitMs.initial; performance.now() < deadlineMs; waitMs = Math.min(2 * waitMs, storageWaitMs.max)) {
    await sleepUntilAborted(waitMs, signal)
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

/** Creates a file and syncs it to the disk. */
async function createFile(file: string, bytes: Buffer): Promise<void> {
  // Node writes 512 KiB at a time. A smaller file is written and synced by one call of the file
  // system instead of two.
  const isSyncedByWrite = syncedFileFlags !== undefined && bytes.byteLength <= 512 * 1024
  await writeFile(file, bytes, isSyncedByWrite ? { flag: syncedFileFlags } : { flag: 'wx', flush: true })
}

/** Returns the file of an output that is stored on this machine. Undefined for other outputs. */
export function localFileOf({ location }: { location: unknown }, results: Pick<LocalResults, 'fileOf'>): LocalFile | undefined {
  return isLocalResult(location) ? results.fileOf(location) : undefined
}

/** Whether the location of an output is a result that is stored on this machine. */
export function isLocalResult(location: unknown): location is LocalResult {
  return typeof location === 'object' && location !== null && 'kept' in location
}
