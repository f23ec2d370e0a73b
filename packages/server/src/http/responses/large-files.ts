import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../lib/app-error.ts'
import { WarmPool } from '../../lib/warm-pool.ts'
import { WarmThread } from '../../lib/warm-thread.ts'
import type { LargeFile, LargeFileRequest } from './large-file.ts'

/** Maximum number of files that wait while another file is generated. */
const waitingFilesMax = 16
/**
 * The thread is kept for a while, because loading its modules takes far longer than generating a
 * file. It is closed when idle, because it takes about ten megabytes of memory.
 */
const [idleMsMax, filesPerThreadMax] = [10_000, 1000]
/**
 * After each file the thread pauses for a multiple of the time that the file took, but at most for
 * a second. For files that take at most a third of a second, it uses at most a quarter of a core.
 */
const [pauseRatio, pauseMsMin, pauseMsMax] = [3, 100, 1000]

/** Generates large files, one at a time, in a thread that ends when it is idle. */
export class LargeFiles implements AsyncDisposable {
  readonly #threads = new WarmPool({
    open: () => new WarmThread<LargeFileRequest, LargeFile>(new URL('./large-file-thread.ts', import.meta.url)),
    membersMax: 1,
    usesMax: filesPerThreadMax,
    idleMsMax,
  })
  #pendingFileCount = 0

  /**
   * Generates a file. Throws `overloaded` if the queue is full. If the signal aborts before the
   * generation starts, throws the signal's reason.
   */
  async generate(request: LargeFileRequest, signal: AbortSignal): Promise<LargeFile> {
    if (this.#pendingFileCount > waitingFilesMax) {
      throw new AppError('overloaded', 'Too many documents are being generated; try again shortly.')
    }
    const { promise, resolve, reject } = Promise.withResolvers<LargeFile>()
    const job = async (thread: WarmThread<LargeFileRequest, LargeFile>): Promise<true> => {
      const startedAtMs = performance.now()
      resolve(await thread.call(request))
      const tookMs = performance.now() - startedAtMs
      await sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, pauseRatio * tookMs)), undefined, { ref: false })
      return true
    }
    // If the file was generated, the promise is already resolved, and the rejection has no effect.
    this.#threads
      .use(signal, job)
      .then(() => reject(signal.aborted ? (signal.reason as Error) : new Error('the thread for large files is closed')), reject)
    this.#pendingFileCount += 1
    return await promise.finally(() => (this.#pendingFileCount -= 1))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads.close()
  }
}
