import type { Worker } from 'node:worker_threads'
import { callBack } from '../../lib/call-back.ts'
import type { Clock } from '../../lib/clock.ts'
import type { WriteBatch, WriteOperation, WriteOutcome, WriteReply } from '../write-operations.ts'

/**
 * Maximum number of batches in flight. While the writer thread writes one batch, the next one waits
 * in its queue, so that the thread is never idle under load. A higher limit would only make the
 * batches smaller.
 */
const batchesInFlightMax = 2
/**
 * Maximum number of operations in a batch. It bounds the duration of a transaction. The first
 * operation gets its result only when the transaction ends.
 */
const operationsPerBatchMax = 512

/**
 * While commits are fast, a batch is sent before the end of the tick as soon as it has this many
 * operations. The writer then works on it while this thread reads further requests. With larger
 * batches, all results would arrive at the same time, and this thread would be idle until then.
 * With half this number, the total CPU time would be a fifth higher.
 */
const operationsPerEarlyBatch = 32
/**
 * Maximum duration of a fast commit. If a slow disk or a busy machine makes commits longer, few
 * large batches are faster than many small ones.
 */
const fastCommitMs = 1

type Callback = (outcome: WriteOutcome) => void

/**
 * Group commit. The operations of one tick are sent in one batch or a few. When a reply arrives,
 * the next batch is sent before the callbacks of the reply run.
 */
export class WriteBatcher {
  readonly #writer: Worker
  /** Called after each batch that has recorded events. */
  onEvents: () => void = () => {}
  readonly #clock: Clock
  #expiryClock: Clock
  #operations: WriteOperation[] = []
  #callbacks: Callback[] = []
  readonly #inFlight: Callback[][] = []
  #isScheduled = false
  #lastCommitMs = Infinity
  #drains: { remaining: number; resolve: () => void }[] = []
  /** Message of the error after which every write fails. Null: there was no such error. */
  #failureMessage: string | null = null

  constructor(writer: Worker, clock: Clock) {
    this.#writer = writer
    this.#clock = clock
    this.#expiryClock = clock
    writer.on('message', (reply: WriteReply) => this.#receive(reply))
  }

  setExpiryClock(clock: Clock): void {
    this.#expiryClock = clock
  }

  /**
   * Upper bound of the number of operations without a result. Each batch in flight counts as full.
   */
  get pendingCount(): number {
    return this.#operations.length + this.#inFlight.length * operationsPerBatchMax
  }

  push(operation: WriteOperation, callback: Callback): void {
    const failureMessage = this.#failureMessage
    if (failureMessage !== null) {
      setImmediate(() => callback({ kind: 'failed', message: failureMessage, code: 'closed' }))
      return
    }
    this.#operations.push(operation)
    this.#callbacks.push(callback)
    if (this.#lastCommitMs < fastCommitMs && this.#operations.length >= operationsPerEarlyBatch) this.#flush()
    this.#schedule()
  }

  write(operation: WriteOperation): Promise<WriteOutcome> {
    return new Promise((resolve) => this.push(operation, resolve))
  }

  /** Resolves when every operation that was pushed before the call has a result. */
  drain(): Promise<void> {
    const remaining = this.#inFlight.reduce((sum, callbacks) => sum + callbacks.length, this.#operations.length)
    if (remaining === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drains.push({ remaining, resolve }))
  }

  /**
   * Called when a thread of the database has ended. Every operation without a result and every
   * later operation fails.
   */
  fail(message: string): void {
    this.#failureMessage = message
    const pending = [...this.#inFlight.flat(), ...this.#callbacks]
    this.#inFlight.length = 0
    this.#operations = []
    this.#callbacks = []
    for (const callback of pending) callBack<WriteOutcome>(callback, { kind: 'failed', message, code: 'closed' })
    for (const { resolve } of this.#drains.splice(0)) resolve()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#operations.length === 0 || this.#inFlight.length >= batchesInFlightMax) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#inFlight.length >= batchesInFlightMax || this.#operations.length === 0) return
    let operations = this.#operations
    let callbacks = this.#callbacks
    if (operations.length <= operationsPerBatchMax) {
      this.#operations = []
      this.#callbacks = []
    } else {
      operations = operations.splice(0, operationsPerBatchMax)
      callbacks = callbacks.splice(0, operationsPerBatchMax)
    }
    this.#inFlight.push(callbacks)
    this.#writer.postMessage({ nowMs: this.#clock(), expiryMs: this.#expiryClock(), operations } satisfies WriteBatch)
    this.#schedule()
  }

  #receive(reply: WriteReply): void {
    const callbacks = this.#inFlight.shift() ?? []
    this.#lastCommitMs = reply.tookMs
    this.#flush()
    for (const drain of this.#drains) drain.remaining -= callbacks.length
    callbacks.forEach((callback, index) => callBack(callback, reply.outcomes[index] ?? null))
    if (reply.hasEvents) this.onEvents()
    while (this.#drains[0] !== undefined && this.#drains[0].remaining <= 0) this.#drains.shift()?.resolve()
  }
}
