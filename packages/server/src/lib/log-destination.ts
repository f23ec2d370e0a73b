import { write, writeSync } from 'node:fs'

/** Maximum total length of the lines that wait in memory. Beyond it, further lines are lost. */
const waitingLengthMax = 16 * 1024 * 1024
/** Time before the next try if the reader of a pipe is too slow. */
const retryMs = 100
const flushTriesMax = 10
/**
 * Maximum size of a write in the background. A pipe accepts a write of this size completely or not
 * at all (PIPE_BUF of POSIX on Linux), so a process that ends during a write leaves no incomplete
 * line.
 */
const writeBytesMax = 4096
const newline = 0x0a

/**
 * Writes log lines to a file descriptor in the background. Lines that cannot be written, for
 * example because the disk is full, are lost: the service must continue without its log. On a full
 * disk, the destination of pino itself would emit an uncaught error, and its `flushSync` would never
 * return.
 */
export class LogDestination {
  readonly #fd: number
  #waiting: string[] = []
  #waitingLength = 0
  /** Unwritten bytes, without those that the operating system is writing. */
  #rest = Buffer.alloc(0)
  #isWriting = false
  #retryTimer: NodeJS.Timeout | undefined

  constructor(fd: number) {
    this.#fd = fd
    process.on('exit', () => this.flushSync())
  }

  write(line: string): void {
    if (this.#waitingLength + line.length > waitingLengthMax) return
    this.#waiting.push(line)
    this.#waitingLength += line.length
    this.#writeNext()
  }

  /** Writes the waiting lines before it returns. Pino calls this for a fatal line. */
  flushSync(): void {
    // The operating system completes a write that it has begun.
    const bytes = Buffer.concat([this.#rest, this.#takeWaiting()])
    this.#rest = Buffer.alloc(0)
    for (let [offset, tries] = [0, 0]; offset < bytes.length && tries < flushTriesMax;) {
      try {
        offset += writeSync(this.#fd, bytes, offset)
      } catch (error) {
        if (!isTransient(error)) return
        tries += 1
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
      }
    }
  }

  #writeNext(): void {
    if (this.#isWriting || this.#retryTimer !== undefined) return
    if (this.#rest.length === 0) this.#rest = this.#takeWaiting()
    if (this.#rest.length === 0) return
    const piece = this.#rest.subarray(0, pieceBytesOf(this.#rest))
    this.#rest = this.#rest.subarray(piece.length)
    this.#isWriting = true
    write(this.#fd, piece, (error, writtenBytes) => {
      this.#isWriting = false
      if (error === null) this.#putBack(piece.subarray(writtenBytes))
      else if (isTransient(error)) {
        this.#putBack(piece)
        return this.#retryLater()
      } else this.#rest = Buffer.alloc(0)
      this.#writeNext()
    })
  }

  #putBack(bytes: Buffer): void {
    if (bytes.length > 0) this.#rest = Buffer.concat([bytes, this.#rest])
  }

  #retryLater(): void {
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.#writeNext()
    }, retryMs)
    this.#retryTimer.unref()
  }

  #takeWaiting(): Buffer<ArrayBuffer> {
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#waitingLength = 0
    return bytes
  }
}

/**
 * Returns the size of the first lines that fit into one write, or of the maximum part of a line
 * that does not fit.
 */
function pieceBytesOf(lines: Buffer): number {
  if (lines.length <= writeBytesMax) return lines.length
  return lines.lastIndexOf(newline, writeBytesMax - 1) + 1 || writeBytesMax
}

/** Whether the error means that the reader of a pipe is too slow. */
function isTransient(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}
