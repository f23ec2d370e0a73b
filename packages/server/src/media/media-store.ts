import { ownerIdOf } from './result-file-name.ts'
import type { Readable } from 'node:stream'
import type { HashedBytes } from '../lib/write-hashed.ts'

/**
 * Storage of results, previews, assets and pieces of resumable uploads, in a folder or in S3. Each
 * file has an `objectKey`. The suite `media-store.suite.ts` specifies the behavior of every store.
 *
 * Puts are atomic and durable: no part of a file is visible before the put is complete, and the
 * file survives a power failure after the put has resolved. Putting a file again replaces it
 * atomically. Removing a file twice is safe.
 */
export interface MediaStore {
  /**
   * Stores a file. Reads the stream to its end, or destroys it. Only parts of the file are in
   * memory at a time.
   */
  put(objectKey: string, stream: Readable, options: PutOptions): Promise<StoredMedia>
  /**
   * Stores a file of this machine, if possible without copying it. The caller may remove the file
   * afterwards, but must never change it.
   */
  putFile(objectKey: string, file: string, options: PutFileOptions): Promise<StoredMedia>
  /**
   * Opens the file, or a range of it. Returns undefined if there is no such file. The caller must
   * read or destroy the stream.
   */
  open(objectKey: string, range?: ByteRange): Promise<OpenedMedia | undefined>
  stat(objectKey: string): Promise<{ sizeBytes: number } | undefined>
  remove(objectKey: string): Promise<void>
  /** Writes and removes a small file. Rejects if the store cannot store files. */
  checkWrite(): Promise<void>
  /**
   * Returns the path of the file, whether or not the file exists. This method is undefined if the
   * files are not on this machine.
   */
  pathOf?(objectKey: string): string
  /**
   * Returns a URL from which clients can fetch the file directly. This method is undefined if the
   * service itself sends all files.
   */
  directUrl?: (objectKey: string, link: DirectLink) => Promise<DirectUrl>
  /**
   * Removes leftovers of interrupted puts that began before this time, and returns their number.
   * This method is undefined if the store removes them at start-up.
   */
  removeLeftovers?(startedBeforeMs: number, signal: AbortSignal): Promise<number>
}

export interface DirectLink {
  contentType: string
  contentDisposition: string
  nowSeconds: number
  /** Expiry in Unix seconds. */
  expiresAt: number
}

export interface DirectUrl {
  url: string
  /** Expiry in Unix seconds. It may be earlier than that of the `DirectLink`. */
  expiresAt: number
}

export interface PutOptions {
  bytesMax: number
  signal: AbortSignal
}

export interface PutFileOptions extends PutOptions {
  /** Size and SHA-256 of the file, if they are known. */
  knownMedia?: StoredMedia | undefined
  /** Whether the contents of the file have been synced to disk already. */
  isSynced?: boolean
}

export type StoredMedia = HashedBytes

/**
 * A range of bytes, including the first and the last one, as in HTTP. `end` must be within the
 * file.
 */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenedMedia {
  /** Stream of the contents. It fails if the file ends before `sizeBytes` or the range's end. */
  stream: Readable
  /** Current size of the whole file, even if only a range was opened. */
  sizeBytes: number
}

/**
 * Codes of media store errors. `unavailable`: the store does not respond, but may respond later.
 * `refused`: the store responds with an error, for example because of a failing disk. `damaged`:
 * the contents of the file have changed since it was stored.
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

// Pattern of object keys. They have no slash, and their only dot precedes a short extension, so
// they cannot refer to another folder.
const objectKeyPattern = /^[a-z0-9][a-z0-9_-]{3,79}\.[a-z0-9]{2,5}$/

/**
 * Whether a text is an object key, such as `task_<32 hex digits>.mp4`. Object keys are in lower
 * case, have one dot, and are safe as a file name, in a bucket and in a URL.
 */
export function isObjectKey(text: string): boolean {
  return objectKeyPattern.test(text)
}

/**
 * Returns the path segments of a file in a bucket or backup: two folders, such as `3f` and `a9`,
 * and the key itself. All results of a task are in the same folder.
 */
export function pathPartsOf(objectKey: string): [string, string, string] {
  if (!isObjectKey(objectKey)) {
    throw new MediaStoreError(
      'invalid_object_key',
      'an object key must consist of lower-case letters, digits, _ and -, a dot and an extension',
    )
  }
  const id = ownerIdOf(objectKey)
  return [id.slice(-4, -2), id.slice(-2), objectKey]
}
