import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../lib/logger.ts'
import { DataFolderLost } from '../../lib/startup-error.ts'
import { subscribe } from '../../lib/subscribe.ts'
import type { CreditsReport } from '../ledger.ts'
import { LogFlags, type LogBlocked } from './write-ahead-log.ts'
import type { CheckpointThreadData } from './checkpoint-thread.ts'
import { isTakenOver } from './database-owner.ts'
import { unusableDatabase } from './unusable-database.ts'
import type { StartFailure, WriterThreadData } from './writer-thread.ts'

export type DatabaseLogger = Pick<Logger, 'info' | 'warn'>

export interface DatabaseThreadsDependencies {
  writer: Worker
  checkpointer: Worker
  file: string
  logger?: DatabaseLogger | undefined
}

/** The `threadId` of a worker thread that has ended. */
const endedThreadId = -1
const stoppedMessage = 'a thread of the database has stopped'

/** Starts the writer thread, which applies migrations, and then the checkpoint thread. */
export async function startDatabaseThreads(
  file: string,
  { nowMs, isRestored }: Pick<WriterThreadData, 'nowMs' | 'isRestored'>,
): Promise<{ writer: Worker; checkpointer: Worker }> {
  const { memory: logFlags } = new LogFlags()
  const data: WriterThreadData = { file, nowMs, logFlags, isRestored }
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { name: 'writer', workerData: data })
  const [reply] = (await once(writer, 'message')) as ['ready' | StartFailure]
  if (reply !== 'ready') throw unusableDatabase(file, reply.startFailed, reply.errcode)
  const checkpointData: CheckpointThreadData = { file, logFlags }
  const checkpointer = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    name: 'checkpoint',
    workerData: checkpointData,
  })
  return { writer, checkpointer }
}

/** The writer thread and the checkpoint thread of a store. */
export class DatabaseThreads {
  readonly #writer: Worker
  readonly #checkpointer: Worker
  readonly #file: string
  readonly #logger: DatabaseLogger | undefined
  readonly #reportCallbacks: ((report: VerifyReply) => void)[] = []
  readonly #fatalListeners = new Set<(cause: Error) => void>()
  readonly #exited: Promise<unknown>
  #isLogBlocked = false
  #isClosing = false
  #isBroken = false

  constructor({ writer, checkpointer, file, logger }: DatabaseThreadsDependencies) {
    this.#writer = writer
    this.#checkpointer = checkpointer
    this.#file = file
    this.#logger = logger
    checkpointer.on('message', (message: CheckpointMessage) => {
      if ('kind' in message) this.#handleLogBlocked(message)
      else this.#reportCallbacks.shift()?.(message)
    })
    this.#exited = Promise.all([writer, checkpointer].map((thread) => this.#watch(thread)))
  }

  /** Whether a long read transaction makes the write-ahead log grow. */
  get isLogBlocked(): boolean {
    return this.#isLogBlocked
  }

  /** The listener is called once, when a thread has ended without a request to close it. */
  onFatal(listener: (cause: Error) => void): () => void {
    return subscribe(this.#fatalListeners, listener)
  }

  /** Verifies the ledger on the checkpoint thread. */
  async verifyCredits(): Promise<CreditsReport> {
    this.#checkpointer.postMessage('verify')
    const report = await new Promise<VerifyReply>((resolve) => this.#reportCallbacks.push(resolve))
    if ('failed' in report) throw new Error(`the ledger could not be read: ${report.failed}`)
    return report
  }

  /** Called before `close`. From now on, the end of a thread is not an error. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /**
   * Closes both threads, the writer thread last. The caller must have closed all readers, so that
   * the writer can empty the log.
   */
  async close(): Promise<void> {
    this.#checkpointer.postMessage('close')
    if (this.#checkpointer.threadId !== endedThreadId) await once(this.#checkpointer, 'exit')
    this.#writer.postMessage('close')
    await this.#exited
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
    return new Promise((resolve) => {
      thread.on('error', (error) => {
        const stoppedError = new Error(stoppedMessage, { cause: error })
        this.#reportFatal(isTakenOver(error) ? new DataFolderLost(takenOverMessage(this.#file), { cause: error }) : stoppedError)
      })
      thread.on('exit', () => {
        if (!this.#isClosing) this.#reportFatal(new Error(stoppedMessage))
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

type VerifyReply = CreditsReport | { failed: string }
type CheckpointMessage = LogBlocked | VerifyReply
