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
export interface ArrivedFile extends AsyncDisposable {
  path: string
  sizeBytes: number
  /** SHA-256 in lower-case hexadecimal. */
  sha256: string
}

interface ArrivingFilesOptions {
  /**
   * Directory that only this process uses. Files that an earlier process has left in it are
   * removed.
   */
  directory: string
  /** Maximum size of a file of each kind. The first bytes of a file announce its kind. */
  bytesMax: Readonly<Record<MediaKind, number>>
  /**
   * Maximum bytes of the files that are being received or not yet disposed of, of all accounts
   * together. `bytesAtOncePerAccountMax` is the same limit for one account.
   */
  bytesAtOnceMax: number
  bytesAtOncePerAccountMax: number
  /**
   * Maximum number of files that are being received or not yet disposed of, of all accounts
   * together.
   */
  atOnceMax: number
  atOncePerAccountMax: number
}

/** Totals of the files that are being received, or that are on disk and not yet disposed of. */
interface InFlight {
  files: number
  bytes: number
}

const retryAfterSeconds = '2'

/**
 * Receives files. A file is written to disk as it arrives, and measured and hashed at the same
 * time. A whole file is never in memory.
 */
export class ArrivingFiles {
  readonly #options: ArrivingFilesOptions
  readonly #ofAccounts = new Map<number, InFlight>()
  readonly #all: InFlight = { files: 0, bytes: 0 }

  private constructor(options: ArrivingFilesOptions) {
    this.#options = options
  }

  static async open(options: ArrivingFilesOptions): Promise<ArrivingFiles> {
    await rm(options.directory, { recursive: true, force: true })
    await mkdir(options.directory, { recursive: true })
    return new ArrivingFiles(options)
  }

  /**
   * Opens the stream and reads it to its end, or destroys the stream. Throws an AppError when the
   * file is too large. When too many files are being received, throws an AppError before it opens
   * the stream.
   */
  async receive(accountNo: number, open: () => Readable | Promise<Readable>): Promise<ArrivedFile> {
    const { directory, bytesMax } = this.#options
    const slot = this.#acquireSlot(accountNo)
    const file = path.join(directory, randomUUID())
    const dispose = async (): Promise<void> => {
      await rm(file, { force: true })
      slot.release()
    }
    try {
      const meter = createMeter(bytesMax, slot.add)
      // The folder may have been removed since the start.
      await mkdir(directory, { recursive: true })
      await pipeline(await open(), meter.stream, createWriteStream(file))
      return { path: file, ...meter.read(), [Symbol.asyncDispose]: dispose }
    } catch (cause) {
      await dispose()
      throw cause
    }
  }

  #acquireSlot(accountNo: number): { add: (bytes: number) => void; release: () => void } {
    const { atOnceMax, atOncePerAccountMax, bytesAtOnceMax, bytesAtOncePerAccountMax } = this.#options
    const all = this.#all
    const ofAccount = this.#ofAccounts.get(accountNo) ?? { files: 0, bytes: 0 }
    if (all.files >= atOnceMax || ofAccount.files >= atOncePerAccountMax) throw tooManyUploads()
    this.#ofAccounts.set(accountNo, ofAccount)
    all.files += 1
    ofAccount.files += 1
    let held = 0
    return {
      add(bytes) {
        if (all.bytes + bytes > bytesAtOnceMax || ofAccount.bytes + bytes > bytesAtOncePerAccountMax) throw tooManyUploads()
        held += bytes
        all.bytes += bytes
        ofAccount.bytes += bytes
      },
      release: () => {
        all.files -= 1
        ofAccount.files -= 1
        all.bytes -= held
        ofAccount.bytes -= held
        if (ofAccount.files === 0) this.#ofAccounts.delete(accountNo)
      },
    }
  }
}

interface Meter {
  stream: Transform
  read(): Pick<ArrivedFile, 'sizeBytes' | 'sha256'>
}

/**
 * Measures and hashes a file. Fails when the file is too large for the kind that its first bytes
 * announce. Calls `count` with the size of each chunk. `count` may throw.
 */
function createMeter(bytesMax: Readonly<Record<MediaKind, number>>, count: (bytes: number) => void): Meter {
  const hash = createHash('sha256')
  const start = Buffer.alloc(signatureBytes)
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (sizeBytes < signatureBytes) chunk.copy(start, sizeBytes)
      sizeBytes += chunk.byteLength
      // A file of unknown kind will be refused later, so the limit of an image is sufficient.
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
  const message = 'Too many files are being uploaded at the same time. Nothing was kept; try again shortly.'
  return new AppError('overloaded', message, { headers: { 'retry-after': retryAfterSeconds } })
}
