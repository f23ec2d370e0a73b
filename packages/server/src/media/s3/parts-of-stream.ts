import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Semaphore } from '../../lib/semaphore.ts'
import { MediaStoreError, type PutOptions } from '../media-store.ts'
import { untilAborted } from '../until-aborted.ts'
import type { Body } from './bucket.ts'

export interface Part extends Body {
  isLast: boolean
}

export interface PartsOptions extends PutOptions {
  partBytes: number
  /** Limits the number of parts in memory. */
  semaphore: Semaphore
  /** Hash that is updated with every byte of the stream. */
  fileHash: Hash
}

/**
 * Splits the stream into parts of equal size. The last part may be smaller or empty. Only one part
 * of the stream is in memory at a time.
 */
export async function* partsOf(stream: Readable, options: PartsOptions): AsyncGenerator<Part> {
  const { bytesMax, signal, partBytes, semaphore, fileHash } = options
  const chunks = untilAborted(stream, signal)
  let bytesSeen = 0
  let unread: Buffer = Buffer.alloc(0)
  try {
    for (let isLast = false; !isLast;) {
      if (!(await semaphore.acquire(signal))) signal.throwIfAborted()
      try {
        const bytes = Buffer.allocUnsafe(partBytes)
        const hash = createHash('sha256')
        let filledBytes = 0
        while (filledBytes < partBytes && !isLast) {
          if (unread.byteLength === 0) {
            const next = await chunks.next()
            if (next.done) {
              isLast = true
              break
            }
            unread = next.value
            bytesSeen += unread.byteLength
            if (bytesSeen > bytesMax)
              throw new MediaStoreError('too_large', `the file is larger than the ${bytesMax} bytes allowed`)
            fileHash.update(unread)
          }
          const addedBytes = unread.subarray(0, partBytes - filledBytes)
          addedBytes.copy(bytes, filledBytes)
          hash.update(addedBytes)
          filledBytes += addedBytes.byteLength
          unread = unread.subarray(addedBytes.byteLength)
        }
        yield { bytes: bytes.subarray(0, filledBytes), sha256: hash.digest('hex'), isLast }
      } finally {
        semaphore.release()
      }
    }
  } finally {
    await chunks.return(undefined)
  }
}
