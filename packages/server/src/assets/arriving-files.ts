import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../lib/app-error.ts'

/** A completely received file. Its owner must dispose of it. */
export interface ArrivedFile extends AsyncDisposable {
  path: string
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

interface ArrivingFilesOptions {
  /** Used only by this process. Files that an earlier process left there are removed. */
  directory: string
  bytesMax: number
  /** Files being received or not yet disposed of. */
  atOnceMax: number
  atOncePerAccountMax: number
}

const retryAfterSeconds = '2'

/**
 * Receives files. Each is written to disk as it arrives, and measured and hashed on the way; it is
 * never held in memory whole.
 */
export class ArrivingFiles {
  readonly #options: ArrivingFilesOptions
  readonly #ofAccounts = new Map<number, number>()
  #all = 0

  private constructor(options: ArrivingFilesOptions) {
    this.#options = options
  }

  static async open(options: ArrivingFilesOptions): Promise<ArrivingFiles> {
    await rm(options.directory, { recursive: true, force: true })
    await mkdir(options.directory, { recursive: true })
    return new ArrivingFiles(options)
  }

  /**
   * Opens the stream and reads it to its end, or destroys it. Throws an AppError when the file is
   * too large, and, before opening the stream, when too many files are being received.
   */
  async receive(accountNo: number, open: () => Readable | Promise<Readable>): Promise<ArrivedFile> {
    const { directory, bytesMax } = this.#options
    this.#acquireSlot(accountNo)
    const file = path.join(directory, randomUUID())
    const dispose = async (): Promise<void> => {
      await rm(file, { force: true })
      this.#releaseSlot(accountNo)
    }
    try {
      const meter = createMeter(bytesMax)
      // The folder may have been removed.
      await mkdir(directory, { recursive: true })
      await pipeline(await open(), meter.stream, createWriteStream(file))
      return { path: file, ...meter.read(), [Symbol.asyncDispose]: dispose }
    } catch (cause) {
      await dispose()
      throw cause
    }
  }

  #acquireSlot(accountNo: number): void {
    const { atOnceMax, atOncePerAccountMax } = this.#options
    const ofAccount = this.#ofAccounts.get(accountNo) ?? 0
    if (this.#all >= atOnceMax || ofAccount >= atOncePerAccountMax) {
      throw new AppError(
        'overloaded',
        'Too many files are being uploaded at the same time. Nothing was kept; try again shortly.',
        {
          headers: { 'retry-after': retryAfterSeconds },
        },
      )
    }
    this.#all += 1
    this.#ofAccounts.set(accountNo, ofAccount + 1)
  }

  #releaseSlot(accountNo: number): void {
    this.#all -= 1
    const ofAccount = (this.#ofAccounts.get(accountNo) ?? 0) - 1
    if (ofAccount > 0) this.#ofAccounts.set(accountNo, ofAccount)
    else this.#ofAccounts.delete(accountNo)
  }
}

function createMeter(bytesMax: number): { stream: Transform; read(): Pick<ArrivedFile, 'sizeBytes' | 'sha256'> } {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > bytesMax) return done(fileTooLarge(bytesMax))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, read: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}

function fileTooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The file is larger than the ${bytesMax} bytes allowed; send a smaller image.`, {
    param: 'file',
  })
}
