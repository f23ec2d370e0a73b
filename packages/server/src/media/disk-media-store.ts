import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline, Transform, type Readable } from 'node:stream'
import { errorCodeOf } from '../lib/error-code.ts'
import { isDiskFull } from '../lib/is-disk-full.ts'
import { syncFile } from '../lib/sync-folder.ts'
import { tryWrite } from '../lib/try-write.ts'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'
import { hashChunks, writeHashed } from '../lib/write-hashed.ts'
import {
  MediaStoreError,
  type ByteRange,
  type MediaStore,
  type OpenedMedia,
  type PutOptions,
  type StoredMedia,
} from './media-store.ts'
import { MediaFolders, removeIfEmpty } from './media-folders.ts'
import { spreadPathOf, readStored, findPath, hourPathOf } from './stored-path.ts'
import { untilAborted } from './until-aborted.ts'

export interface DiskMediaStore extends MediaStore {
  /** Returns the path of the file, whether or not the file exists. */
  pathOf(objectKey: string): string
}

/**
 * A media store in a folder. The lock on the data folder allows only one process to use it.
 *
 *   incoming/<object key>.<random>   while a stream is written; a start removes files that a crash
 *                                    left
 *   2026-11-27T13/<object key>       when the file is complete: file synced, renamed, folder synced
 *
 * `putFile` creates a hard link to the file if that is possible, and otherwise copies the file.
 *
 * Files with ids of the same hour are in one folder. Files that are stored at the same time share a
 * sync of this folder. The store also finds files at their `spreadPathOf`, but stores none there.
 */
export async function openDiskMediaStore(directory: string): Promise<DiskMediaStore> {
  const incomingFolder = join(directory, 'incoming')
  await mkdir(incomingFolder, { recursive: true })
  for (const name of await readdir(incomingFolder)) await rm(join(incomingFolder, name), { force: true, recursive: true })

  const folders = new MediaFolders()
  async function put(objectKey: string, stream: Readable, options: PutOptions): Promise<StoredMedia> {
    // The source may fail after the store has stopped reading it. This error must not end the
    // process.
    stream.on('error', () => {})
    let temporary: string | undefined
    try {
      const target = hourPathOf(directory, objectKey)
      temporary = join(incomingFolder, `${objectKey}.${randomUUID()}`)
      const temporaryFile = temporary
      const storedMedia = await write(temporaryFile, stream, options)
      await folders.use(dirname(target), () => rename(temporaryFile, target))
      await folders.sync(dirname(target))
      return storedMedia
    } catch (cause) {
      stream.destroy()
      if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined)
      throw toStoreError(cause)
    }
  }

  return {
    pathOf: (objectKey) => findPath(directory, objectKey),
    put,

    async putFile(objectKey, file, { knownMedia, isSynced = false, ...options }) {
      const target = hourPathOf(directory, objectKey)
      options.signal.throwIfAborted()
      try {
        const storedMedia = knownMedia ?? (await hashFile(file, options))
        if (storedMedia.sizeBytes > options.bytesMax) throw tooLarge(options.bytesMax)
        if (!isSynced) await syncFile(file)
        if (await folders.use(dirname(target), () => tryLink(file, target))) {
          await folders.sync(dirname(target))
          return storedMedia
        }
      } catch (cause) {
        throw toStoreError(cause)
      }
      return await put(objectKey, createReadStream(file), options)
    },

    open: (objectKey, range) => readStored(directory, objectKey, (file) => openFile(file, range)),

    async stat(objectKey: string): Promise<{ sizeBytes: number } | undefined> {
      const fileStats = await readStored(directory, objectKey, (file) => stat(file))
      return fileStats && { sizeBytes: fileStats.size }
    },

    async remove(objectKey: string): Promise<void> {
      const file = hourPathOf(directory, objectKey)
      await rm(file, { force: true })
      await folders.removeIfEmpty(dirname(file))
      await removeSpread(spreadPathOf(directory, objectKey))
    },

    checkWrite: () => tryWrite(incomingFolder, directory),
  }
}

/** Opens a file in the folder of a disk store, even if another process uses the folder. */
export async function openStoredFile(directory: string, objectKey: string): Promise<OpenedMedia | undefined> {
  return await readStored(directory, objectKey, (file) => openFile(file, undefined))
}

async function openFile(path: string, range: ByteRange | undefined): Promise<OpenedMedia> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { start, end } = range ?? { start: 0, end: size - 1 }
    const completeStream = requireBytes(Math.max(0, end + 1 - start))
    // An error on either stream destroys both.
    const stream = pipeline(file.createReadStream({ start, end: Math.max(start, end) }), completeStream, () => {})
    return { stream, sizeBytes: size }
  } catch (cause) {
    await file.close()
    throw cause
  }
}

/** Returns a stream that passes bytes through and fails if there are fewer bytes than expected. */
function requireBytes(byteCount: number): Transform {
  let bytesSeen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesSeen += chunk.byteLength
      done(null, chunk)
    },
    flush(done) {
      if (bytesSeen >= byteCount) done()
      else done(new MediaStoreError('damaged', `the file ended after ${bytesSeen} of ${byteCount} bytes`))
    },
  })
}

/** Removes a file at its `spreadPathOf`, and the two folders of that path if they are empty. */
async function removeSpread(file: string): Promise<void> {
  const isRemoved = await undefinedIfMissing(unlink(file).then(() => true))
  if (isRemoved && (await removeIfEmpty(dirname(file)))) await removeIfEmpty(dirname(dirname(file)))
}

async function write(path: string, stream: Readable, options: PutOptions): Promise<StoredMedia> {
  await using file = (await undefinedIfMissing(open(path, 'wx'))) ?? (await createIn(dirname(path), path))
  const storedMedia = await writeHashed(file, chunksOf(stream, options))
  await file.sync()
  return storedMedia
}

/** Creates a file in a folder that was removed since the process started. */
async function createIn(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  return await open(path, 'wx')
}

async function hashFile(path: string, options: PutOptions): Promise<StoredMedia> {
  const stream = createReadStream(path)
  try {
    return await hashChunks(chunksOf(stream, options))
  } finally {
    stream.destroy()
  }
}

/**
 * Yields the chunks of a stream. Throws if they have more bytes than allowed, or if the signal
 * aborts.
 */
async function* chunksOf(stream: Readable, { bytesMax, signal }: PutOptions): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const chunk of untilAborted(stream, signal)) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
}

function tooLarge(bytesMax: number): MediaStoreError {
  return new MediaStoreError('too_large', `the file is larger than the ${bytesMax} bytes allowed`)
}

function toStoreError(cause: unknown): unknown {
  return isDiskFull(cause) ? new MediaStoreError('no_space', 'the media folder has no space left', { cause }) : cause
}

/**
 * Creates a hard link to the file. Returns false if that is not possible: the target exists, is on
 * another file system, or is on a file system without hard links. Throws if the file or the folder
 * of the target is missing.
 */
async function tryLink(file: string, target: string): Promise<boolean> {
  try {
    await link(file, target)
    return true
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') throw error
    return false
  }
}
