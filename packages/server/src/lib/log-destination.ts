import { write, writeSync } from 'node:fs'

/** Maximum length of the lines that wait in memory. Beyond it, further lines are lost. */
const waitingLengthMax = 16 * 1024 * 1024
/** Time before the next try if the reader of a pipe is too slow. */
const retryMs = 100
const flushTriesMax = 10

/**
 * Writes log lines to a file descriptor in the background. Lines that cannot be written, for
 * example because the disk is full, are lost: the service must continue without its log. The
 * destination of pino itself would emit an uncaught error then, and never return from its
 * `flushSync`.
 */
export class LogDestination {
  readonly #fd: number
  #waiting: string[] = []
  #waitingLength = 0
  /** The unwritten rest of the lines that are being written. */
  #rest = Buffer.alloc(0)
  /** Whether the operating system is writing `#rest`. */
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
    const waiting = this.#takeWaiting()
    // The operating system completes a write that it has begun.
    const bytes = this.#isWriting ? waiting : Buffer.concat([this.#rest, waiting])
    if (!this.#isWriting) this.#rest = Buffer.alloc(0)
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
    this.#isWriting = true
    write(this.#fd, this.#rest, (error, writtenBytes) => {
      this.#isWriting = false
      if (error === null) this.#rest = this.#rest.subarray(writtenBytes)
      else if (isTransient(error)) return this.#retryLater()
      else this.#rest = Buffer.alloc(0)
      this.#writeNext()
    })
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

/** Whether the error means that the reader of a pipe is too slow. */
function isTransient(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY'
}
