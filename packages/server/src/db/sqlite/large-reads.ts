import { Worker } from 'node:worker_threads'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Statement } from '../statement.ts'
import { StoreClosed, StoreUnavailable } from '../store-unavailable.ts'
import type { ReadReply } from './read-thread.ts'

/** Maximum number of reads that wait while another read runs. */
const waitingMax = 16

/**
 * Runs reads of many rows, one after the other, on a thread of their own. The first read starts the
 * thread.
 */
export class LargeReads {
  readonly #file: string
  readonly #reads = new SerialQueue()
  /** Number of reads that wait or run. */
  #pendingCount = 0
  #thread: Worker | null = null
  #isClosed = false

  constructor(file: string) {
    this.#file = file
  }

  async read({ sql, parameters }: Statement): Promise<Record<string, unknown>[]> {
    if (this.#pendingCount > waitingMax) throw new StoreUnavailable({ cause: new Error('too many large reads are waiting') })
    this.#pendingCount += 1
    try {
      return await this.#reads.run(() => this.#readNow({ sql, parameters }))
    } finally {
      this.#pendingCount -= 1
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
    await this.#reads.untilSettled()
  }

  async #readNow(statement: Statement): Promise<Record<string, unknown>[]> {
    if (this.#isClosed) throw new StoreClosed('the store is closing')
    const reply = await replyTo(statement, this.#getThread())
    if (Array.isArray(reply)) return reply
    if ('ended' in reply) this.#thread = null
    if (this.#isClosed) throw new StoreClosed('the store is closing')
    const error = new Error(`the database could not be read: ${reply.failed}`)
    // The next read starts a new thread.
    throw 'ended' in reply ? new StoreUnavailable({ cause: error }) : error
  }

  #getThread(): Worker {
    try {
      return (this.#thread ??= new Worker(new URL('./read-thread.ts', import.meta.url), { workerData: this.#file }))
    } catch (cause) {
      // Node throws if the system permits no further thread.
      throw new StoreUnavailable({ cause })
    }
  }
}

function replyTo(statement: Statement, thread: Worker): Promise<ReadReply | { failed: string; ended: true }> {
  return new Promise((resolve) => {
    const receive = (reply: ReadReply | { failed: string; ended: true }): void => {
      thread.off('message', receive).off('error', fail).off('exit', end)
      resolve(reply)
    }
    const fail = (error: Error): void => receive({ failed: error.message, ended: true })
    const end = (): void => receive({ failed: 'the thread has ended', ended: true })
    thread.on('message', receive).on('error', fail).on('exit', end)
    thread.postMessage(statement)
  })
}
