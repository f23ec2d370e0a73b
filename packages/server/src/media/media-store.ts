import type { Readable } from 'node:stream'

/**
 * Where finished results are kept: a folder, or S3. One suite (`media-store.suite.ts`) holds every store to this.
 *
 * An asset appears whole or not at all: `put` is fulfilled once the file would survive a power cut, and until then nothing
 * is to be seen of it. Putting an asset again replaces it in one step, so that a collection that was cut short is simply
 * done once more. Removing is safe to repeat.
 */
export interface MediaStore {
  /** Takes the stream to its end, or destroys it. Never holds a whole file in memory. */
  put(assetId: string, stream: Readable, options: PutOptions): Promise<StoredMedia>
  /** The asset, or the given part of it. Undefined when there is none. Whoever opens it reads or destroys the stream. */
  open(assetId: string, range?: ByteRange): Promise<OpenedMedia | undefined>
  stat(assetId: string): Promise<{ sizeBytes: number } | undefined>
  remove(assetId: string): Promise<void>
  /** Writes and removes a small file. Rejects when files cannot be stored. */
  checkWrite(): Promise<void>
  /** Where a client fetches the asset without us; left out where everything goes through the service. */
  directUrl?: (assetId: string, link: DirectLink) => Promise<string>
  /** Removes what puts that began before this time and were cut short have left; left out where a start does that. */
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

/** Both ends included, as in HTTP; `end` lies inside the asset. */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenedMedia {
  /** Fails when the file ends before its size or its range. */
  stream: Readable
  /** Of the whole asset as it is now, also when only a part was opened. */
  sizeBytes: number
}

/**
 * `unavailable`: it does not respond now, and may later. `refused`: it responds with an error, such as a disk with a fault. `damaged`: the
 * file is no longer the one that was put.
 */
export type MediaStoreFault = 'invalid_asset_id' | 'too_large' | 'no_space' | 'unavailable' | 'refused' | 'damaged'

export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError'
  readonly code: MediaStoreFault

  constructor(code: MediaStoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

// Without a slash, and with its only dot between the stem and a short ending, an id cannot leave its folder.
const assetIdPattern = /^[a-z0-9][a-z0-9_-]{3,79}\.[a-z0-9]{2,5}$/

/** `task_<32 hex digits>.mp4` and the like: lower case, one dot, safe as a file name, an object key and in a URL. */
export function isAssetId(text: string): boolean {
  return assetIdPattern.test(text)
}

export function requireAssetId(text: string): void {
  if (!isAssetId(text)) {
    throw new MediaStoreError('invalid_asset_id', 'an asset id is lower-case letters, digits, _ and -, a dot and an ending')
  }
}
