import { ownerIdOf } from './result-file-name.ts'
import type { Readable } from 'node:stream'

/**
 * Storage of produced results and of uploads: a folder, or S3. The suite `media-store.suite.ts`
 * defines this interface for every store. `objectKey` is the key of a result or of an upload.
 *
 * A file becomes visible as a whole. `put` resolves when the file would survive a power cut, and no
 * part of the file is visible before. Putting a file again replaces it in one step, so an
 * interrupted collection is simply repeated. Removing a file twice is safe.
 */
export interface MediaStore {
  /**
   * Stores a file. Reads the stream to its end, or destroys it. Never holds a whole file in memory.
   */
  put(objectKey: string, stream: Readable, options: PutOptions): Promise<StoredMedia>
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
   * Returns the path of the file, whether or not it exists. Undefined if the files are not in a
   * folder of this machine.
   */
  pathOf?(objectKey: string): string
  /**
   * Returns a URL at which a client fetches the file without this service. Undefined if every file
   * is served by the service.
   */
  directUrl?: (objectKey: string, link: DirectLink) => Promise<string>
  /**
   * Removes leftovers of interrupted puts that began before this time. Undefined if the start of
   * the service removes them.
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

export interface PutOptions {
  bytesMax: number
  signal: AbortSignal
}

export interface StoredMedia {
  sizeBytes: number
  /** SHA-256 in lower-case hex. */
  sha256: string
}

/** A range of bytes that includes both ends, as in HTTP. `end` is inside the file. */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenedMedia {
  /** Stream of the content. It fails if the file ends before its size or its range. */
  stream: Readable
  /** Current size of the whole file, even if only a range was opened. */
  sizeBytes: number
}

/**
 * Code of a store's error. `unavailable`: the store does not respond now, but may respond later.
 * `refused`: the store responds with an error, such as a failing disk. `damaged`: the content of
 * the file has changed since it was put.
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

// Pattern of object keys. A key has no slash, and its only dot is between the stem and a short
// extension, so it cannot refer to another folder.
const objectKeyPattern = /^[a-z0-9][a-z0-9_-]{3,79}\.[a-z0-9]{2,5}$/

/**
 * Whether a text is an object key, such as `task_<32 hex digits>.mp4`: lower case with one dot, and
 * safe as a file name, in a bucket and in a URL.
 */
export function isObjectKey(text: string): boolean {
  return objectKeyPattern.test(text)
}

/**
 * Returns the position of a file in any store: two folders and the key itself, such as `3f`, `a9`
 * and the key. All results of a task are in the same folder.
 */
export function pathPartsOf(objectKey: string): [string, string, string] {
  if (!isObjectKey(objectKey)) {
    throw new MediaStoreError(
      'invalid_object_key',
      'an object key is lower-case letters, digits, _ and -, a dot and an extension',
    )
  }
  const id = ownerIdOf(objectKey)
  return [id.slice(-4, -2), id.slice(-2), objectKey]
}
