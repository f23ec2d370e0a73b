import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../lib/app-error.ts'
import { signatureBytes } from '../lib/image-type.ts'
import { announcedKind, type MediaKind } from '../lib/media-type.ts'

/** A completely received file. Its owner must dispose of it. */
export interface ReceivedFile extends AsyncDisposable {
  path: string
  sizeBytes: number
  /** SHA-256 in lower-case hexadecimal. */
  sha256: string
}

interface FileReceiverOptions {
  /**
   * Directory for the exclusive use of this process. Files that an earlier process left in it are
   * removed.
   */
  directory: string
  /** Maximum size of a file by kind, which the first bytes of the file determine. */
  bytesMax: Readonly<Record<MediaKind, number>>
  /**
   * Maximum total size of files that have not been disposed of, including those still being
   * received.
   */
  totalBytesMax: number
  /** The same limit for the files of one account. */
  bytesPerAccountMax: number
  /** Maximum number of files that have not been disposed of. */
  filesMax: number
  /** The same limit for the files of one account. */
  filesPerAccountMax: number
}

/** Totals of the files that have not been disposed of, including those still being received. */
interface Totals {
  fileCount: number
  byteCount: number
}

const retryAfterSeconds = '2'

/**
 * Receives files. A file is written to disk as it arrives, while it is measured and hashed. It is
 * never completely in memory. An account may use more files and bytes only while it uses less than
 * is free, so that a few accounts leave capacity for the others.
 */
export class FileReceiver {
  readonly #options: FileReceiverOptions
  readonly #totalsByAccount = new Map<number, Totals>()
  readonly #totals: Totals = { fileCount: 0, byteCount: 0 }

  private constructor(options: FileReceiverOptions) {
    this.#options = options
  }

  static async open(options: FileReceiverOptions): Promise<FileReceiver> {
    await rm(options.directory, { recursive: true, force: true })
    await mkdir(options.directory, { recursive: true })
    return new FileReceiver(options)
  }

  /**
   * Opens the stream and reads it to its end, or destroys it. Throws an `AppError` if the file is
   * too large, or if the total size of the received files would exceed a limit. If too many files
   * are being received, throws an `AppError` without opening the stream.
   */
  async receive(accountNo: number, open: () => Readable | Promise<Readable>): Promise<ReceivedFile> {
    const { directory, bytesMax } = this.#options
    const slot = this.#acquireSlot(accountNo)
    const file = path.join(directory, randomUUID())
    const dispose = async (): Promise<void> => {
      await rm(file, { force: true })
      slot.release()
    }
    try {
      const meter = createMeter(bytesMax, slot.add)
      // The folder may have been removed since the process started.
      await mkdir(directory, { recursive: true })
      await pipeline(await open(), meter.stream, createWriteStream(file))
      return { path: file, ...meter.read(), [Symbol.asyncDispose]: dispose }
    } catch (cause) {
      await dispose()
      throw cause
    }
  }

  #acquireSlot(accountNo: number): { add: (bytes: number) => void; release: () => void } {
    const { filesMax, filesPerAccountMax, totalBytesMax, bytesPerAccountMax } = this.#options
    const totals = this.#totals
    const accountTotals = this.#totalsByAccount.get(accountNo) ?? { fileCount: 0, byteCount: 0 }
    if (accountTotals.fileCount >= Math.min(filesPerAccountMax, filesMax - totals.fileCount)) throw tooManyUploads()
    this.#totalsByAccount.set(accountNo, accountTotals)
    totals.fileCount += 1
    accountTotals.fileCount += 1
    let writtenBytes = 0
    return {
      add(bytes) {
        const freeBytes = totalBytesMax - totals.byteCount
        if (accountTotals.byteCount + bytes > Math.min(bytesPerAccountMax, freeBytes)) throw tooManyUploads()
        writtenBytes += bytes
        totals.byteCount += bytes
        accountTotals.byteCount += bytes
      },
      release: () => {
        totals.fileCount -= 1
        accountTotals.fileCount -= 1
        totals.byteCount -= writtenBytes
        accountTotals.byteCount -= writtenBytes
        if (accountTotals.fileCount === 0) this.#totalsByAccount.delete(accountNo)
      },
    }
  }
}

interface Meter {
  stream: Transform
  read(): Pick<ReceivedFile, 'sizeBytes' | 'sha256'>
}

/**
 * Measures and hashes a file. Fails if the file is too large for the kind that its first bytes
 * indicate. Calls `count` with the size of each chunk, and fails if `count` throws.
 */
function createMeter(bytesMax: Readonly<Record<MediaKind, number>>, count: (bytes: number) => void): Meter {
  const hash = createHash('sha256')
  const start = Buffer.alloc(signatureBytes)
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (sizeBytes < signatureBytes) chunk.copy(start, sizeBytes)
      sizeBytes += chunk.byteLength
      // A file of unknown kind is rejected later, so the limit for images is sufficient.
      const kind = announcedKind(start.subarray(0, Math.min(sizeBytes, signatureBytes))) ?? 'image'
      if (sizeBytes > bytesMax[kind]) return done(fileTooLarge(kind, bytesMax[kind]))
      try {
        count(chunk.byteLength)
      } catch (cause) {
        return done(cause as Error)
      }
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, read: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}

export function fileTooLarge(kind: MediaKind, bytesMax: number): AppError {
  const article = kind === 'video' ? 'a' : 'an'
  const noun = kind === 'audio' ? 'audio file' : kind
  const message = `The file is larger than the ${bytesMax} bytes allowed for ${article} ${noun}; send a smaller one.`
  return new AppError('body_too_large', message, { param: 'file' })
}

function tooManyUploads(): AppError {
  const message = 'Too many files are being uploaded at the same time. Nothing was stored; try again shortly.'
  return new AppError('overloaded', message, { headers: { 'retry-after': retryAfterSeconds } })
}
