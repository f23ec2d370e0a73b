import { ownerIdOf } from './result-file-name.ts'
import type { Readable } from 'node:stream'

/**
 * Storage of produced results and of uploads: a folder, or S3. One suite (`media-store.suite.ts`)
 * holds every store to this interface. `objectKey` is the key of a file of either kind.
 *
 * A file appears whole or not at all: `put` resolves once the file would survive a power cut, and
 * until then nothing of it is visible. Putting a file again replaces it in one step, so an
 * interrupted collection is simply repeated. Removing is safe to repeat.
 */
export interface MediaStore {
  /** Reads the stream to its end, or destroys it. Never holds a whole file in memory. */
  put(objectKey: string, stream: Readable, options: PutOptions): Promise<StoredMedia>
  /**
   * The file, or the given part of it. Undefined if there is none. The caller must read or destroy
   * the stream.
   */
  open(objectKey: string, range?: ByteRange): Promise<OpenedMedia | undefined>
  stat(objectKey: string): Promise<{ sizeBytes: number } | undefined>
  remove(objectKey: string): Promise<void>
  /** Writes and removes a small file. Rejects if files cannot be stored. */
  checkWrite(): Promise<void>
  /** The path of the file, whether or not it exists; left out if files are not in a folder of this machine. */
  pathOf?(objectKey: string): string
  /**
   * A URL at which a client fetches the file without this service; left out if every file goes
   * through the service.
   */
  directUrl?: (objectKey: string, link: DirectLink) => Promise<string>
  /**
   * Removes leftovers of interrupted puts that began before this time; left out if the start-up
   * removes them.
   */
  removeLeftovers?(beganBeforeMs: number, signal: AbortSignal): Promise<number>
}

export interface DirectLink {
  contentType: string
  contentDisposition: string
  nowSeconds: number
  /** Unix seconds. */
  expiresAt: number
}

export interface PutOptions {
  bytesMax: number
  signal: AbortSignal
}

export interface StoredMedia {
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

/** Both ends included, as in HTTP; `end` lies inside the file. */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenedMedia {
  /** Fails if the file ends before its size or its range. */
  stream: Readable
  /** Current size of the whole file, even if only a part was opened. */
  sizeBytes: number
}

/**
 * `unavailable`: it does not respond now, and may later. `refused`: it responds with an error, such
 * as a failing disk. `damaged`: the file is no longer the one that was put.
 */
export type MediaStoreErrorCode = 'invalid_object_key' | 'too_large' | 'no_space' | 'unavailable' | 'refused' | 'damaged'

export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError'
  readonly code: MediaStoreErrorCode

  constructor(code: MediaStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

// Without a slash, and with its only dot between the stem and a short ending, a key cannot leave
// its folder.
const objectKeyPattern = /^[a-z0-9][a-z0-9_-]{3,79}\.[a-z0-9]{2,5}$/

/**
 * `task_<32 hex digits>.mp4` and the like: lower case, one dot, safe as a file name, in a bucket
 * and in a URL.
 */
export function isObjectKey(text: string): boolean {
  return objectKeyPattern.test(text)
}

/**
 * Two folders and the key itself, such as `3f`, `a9` and the key: the place of a file in any store.
 * All results of a task share their folder.
 */
export function pathPartsOf(objectKey: string): [string, string, string] {
  if (!isObjectKey(objectKey)) {
    throw new MediaStoreError('invalid_object_key', 'an object key is lower-case letters, digits, _ and -, a dot and an ending')
  }
  const id = ownerIdOf(objectKey)
  return [id.slice(-4, -2), id.slice(-2), objectKey]
}
