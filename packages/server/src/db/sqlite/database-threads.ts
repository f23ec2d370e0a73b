import { once } from 'node:events'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../lib/logger.ts'
import { DataFolderLost } from '../../lib/startup-error.ts'
import { subscribe } from '../../lib/subscribe.ts'
import type { CreditsReport } from '../ledger.ts'
import { copiedLogBytesMin, LogFlags, logFileBytes, type LogBlocked } from './write-ahead-log.ts'
import type { CheckpointThreadData } from './checkpoint-thread.ts'
import { isTakenOver } from './database-owner.ts'
import { unusableDatabase } from './unusable-database.ts'
import { tryToVerifyCredits, type CheckOutcome } from './verify-credits.ts'
import type { StartFailure, WriterThreadData } from './writer-thread.ts'

export type DatabaseLogger = Pick<Logger, 'info' | 'warn'>

export interface DatabaseThreadsDependencies {
  writer: Worker
  startCheckpointer: () => Worker
  logFlags: LogFlags
  file: string
  /** Reading connection of this thread. */
  reader: DatabaseSync
  logger?: DatabaseLogger | undefined
}

/** The `threadId` of a worker thread that has ended. */
const endedThreadId = -1
const stoppedMessage = 'a thread of the database has stopped'

/**
 * Maximum time from the start of the writer thread to the start of the checkpoint thread. The start
 * is deferred, because it takes 30 ms of CPU time, a tenth of the start-up of a service, and many
 * processes end before they need the thread.
 */
const checkpointerDelayMs = 5_000
const checkpointerIntervalMs = 100
/** Pause after a failed start of the checkpoint thread. */
const checkpointerRetryMs = 1_000
/**
 * Maximum size of a database whose ledger is verified on the main thread. This takes a few
 * milliseconds, which is less than the start of a thread.
 */
const verifiedHereBytesMax = 1024 * 1024

/**
 * Starts the writer thread, which applies migrations. The checkpoint thread is started later, by
 * `DatabaseThreads`.
 */
export async function startDatabaseThreads(
  file: string,
  { nowMs, isRestored }: Pick<WriterThreadData, 'nowMs' | 'isRestored'>,
): Promise<Pick<DatabaseThreadsDependencies, 'writer' | 'startCheckpointer' | 'logFlags'>> {
  const logFlags = new LogFlags()
  const data: WriterThreadData = { file, nowMs, logFlags: logFlags.memory, isRestored }
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { name: 'writer', workerData: data })
  const [reply] = (await once(writer, 'message')) as ['ready' | StartFailure]
  if (reply !== 'ready') throw unusableDatabase(file, reply.startFailed, reply.errcode)
  const checkpointData: CheckpointThreadData = { file, logFlags: logFlags.memory }
  const startCheckpointer = (): Worker =>
    new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { name: 'checkpoint', workerData: checkpointData })
  return { writer, startCheckpointer, logFlags }
}

/**
 * The writer thread and the checkpoint thread of a store. The checkpoint thread starts when it has
 * work, at the latest after `checkpointerDelayMs`.
 */
export class DatabaseThreads {
  readonly #writer: Worker
  readonly #startCheckpointer: () => Worker
  #startTimer: NodeJS.Timeout
  readonly #reader: DatabaseSync
  readonly #file: string
  readonly #logger: DatabaseLogger | undefined
  readonly #reportCallbacks: ((report: CheckOutcome) => void)[] = []
  readonly #fatalListeners = new Set<(cause: Error) => void>()
  readonly #writerExited: Promise<void>
  #checkpointer: Worker | null = null
  #isCheckpointerReady = false
  #isLogBlocked = false
  #isClosing = false
  #isBroken = false

  constructor({ writer, startCheckpointer, logFlags, file, reader, logger }: DatabaseThreadsDependencies) {
    this.#writer = writer
    this.#startCheckpointer = startCheckpointer
    this.#reader = reader
    this.#file = file
    this.#logger = logger
    this.#writerExited = this.#watch(writer)
    const latestStartMs = performance.now() + checkpointerDelayMs
    this.#startTimer = setInterval(() => {
      if (logFlags.isErased || isLogLong(file) || performance.now() >= latestStartMs) this.#getCheckpointer()
    }, checkpointerIntervalMs).unref()
  }

  /** Whether a long read transaction makes the write-ahead log grow. */
  get isLogBlocked(): boolean {
    return this.#isLogBlocked
  }

  /** The listener is called once, when a thread has ended without a request to close it. */
  onFatal(listener: (cause: Error) => void): () => void {
    return subscribe(this.#fatalListeners, listener)
  }

  /** Verifies the ledger, on the checkpoint thread unless the database is small. */
  async verifyCredits(): Promise<CreditsReport> {
    const bytes = Number(this.#reader.prepare(bytesSql).get()?.['bytes'])
    const report = bytes <= verifiedHereBytesMax ? tryToVerifyCredits(this.#reader) : await this.#verifyOnThread()
    if ('failed' in report) throw new Error(`the ledger could not be read: ${report.failed}`)
    return report
  }

  /** Called before `close`. From now on, the end of a thread is not an error. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /**
   * Closes the threads, the writer thread last. The caller must have closed all readers, so that
   * the writer can empty the log.
   */
  async close(): Promise<void> {
    clearInterval(this.#startTimer)
    this.#checkpointer?.postMessage('close')
    if (this.#checkpointer !== null && this.#checkpointer.threadId !== endedThreadId) await once(this.#checkpointer, 'exit')
    this.#writer.postMessage('close')
    await this.#writerExited
  }

  /** Returns null if the thread could not be started. This is then retried. */
  #getCheckpointer(): Worker | null {
    if (this.#checkpointer !== null) return this.#checkpointer
    clearInterval(this.#startTimer)
    let checkpointer: Worker
    try {
      checkpointer = this.#startCheckpointer()
    } catch (error) {
      // Node throws if the system permits no further thread.
      this.#retryCheckpointer(error as Error)
      return null
    }
    this.#checkpointer = checkpointer
    checkpointer.on('message', (message: CheckpointMessage) => {
      if (message === 'ready') this.#isCheckpointerReady = true
      else if ('kind' in message) this.#handleLogBlocked(message)
      else this.#reportCallbacks.shift()?.(message)
    })
    void this.#watch(checkpointer)
    return checkpointer
  }

  /**
   * Called when the thread could not start, for example because the system had no file descriptors or
   * memory for it, or permits no further thread. Until it starts, the write-ahead log grows with each
   * commit. Nothing else changes.
   */
  #retryCheckpointer(error: Error): void {
    this.#logger?.warn({ err: error }, 'the checkpoint thread could not be started; this will be retried')
    this.#checkpointer = null
    if (this.#isClosing) return
    this.#startTimer = setTimeout(() => this.#getCheckpointer(), checkpointerRetryMs).unref()
  }

  #verifyOnThread(): Promise<CheckOutcome> {
    const checkpointer = this.#getCheckpointer()
    if (checkpointer === null) return Promise.resolve({ failed: 'the checkpoint thread could not be started' })
    checkpointer.postMessage('verify')
    return new Promise((resolve) => this.#reportCallbacks.push(resolve))
  }

  #handleLogBlocked({ isBlocked, bytes }: LogBlocked): void {
    this.#isLogBlocked = isBlocked
    const megabytes = Math.round(bytes / 2 ** 20)
    if (isBlocked)
      this.#logger?.warn(
        { megabytes },
        'the write-ahead log grows, because a process has a long read transaction on framegate.db',
      )
    else
      this.#logger?.info(
        { megabytes },
        'the write-ahead log is reused again, because the long read transaction on framegate.db has ended',
      )
  }

  /** Resolves when the thread has ended. Reports an end that was not requested as fatal. */
  #watch(thread: Worker): Promise<void> {
    const isInUse = (): boolean => thread === this.#writer || thread === this.#checkpointer
    return new Promise((resolve) => {
      thread.on('error', (error) => {
        if (thread === this.#checkpointer && !this.#isCheckpointerReady) return this.#retryCheckpointer(error)
        const stoppedError = new Error(stoppedMessage, { cause: error })
        this.#reportFatal(isTakenOver(error) ? new DataFolderLost(takenOverMessage(this.#file), { cause: error }) : stoppedError)
      })
      thread.on('exit', () => {
        if (!this.#isClosing && isInUse()) this.#reportFatal(new Error(stoppedMessage))
        for (const callback of this.#reportCallbacks.splice(0)) callback({ failed: stoppedMessage })
        resolve()
      })
    })
  }

  #reportFatal(cause: Error): void {
    if (this.#isBroken) return
    this.#isBroken = true
    for (const listener of this.#fatalListeners) listener(cause)
  }
}

function takenOverMessage(file: string): string {
  return `another Framegate was started on ${file} while this one was running, because ${path.dirname(file)}/lock.db was removed`
}

const bytesSql = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'

/** Whether the checkpoint thread must copy the log. False if the file system reports an error. */
function isLogLong(file: string): boolean {
  try {
    return logFileBytes(file) >= copiedLogBytesMin
  } catch {
    return false
  }
}

type CheckpointMessage = 'ready' | LogBlocked | CheckOutcome
