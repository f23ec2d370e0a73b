import type { Worker } from 'node:worker_threads'
import { callBack } from '../../lib/call-back.ts'
import type { Clock } from '../../lib/clock.ts'
import type { WriteBatch, WriteOperation, WriteOutcome, WriteReply } from '../write-operations.ts'

/** A batch is on its way while the next one fills; more would only make each of them smaller. */
const batchesInFlightMax = 2
/** Bounds how long one transaction, and so the answer to its first operation, can take. */
const operationsPerBatchMax = 512

/**
 * While commits are quick, so many operations leave without waiting for the end of the turn: the writer works on them while
 * further requests are read, and their answers do not all come in one burst that leaves this thread idle after it. Half as
 * many would cost a fifth more processor time in all.
 */
const operationsPerEarlyBatch = 32
/** Where the disk, or a busy machine, makes a commit longer than this, few large batches are faster than many small ones. */
const quickCommitMs = 1

type Answer = (outcome: WriteOutcome) => void

/**
 * Group commit: the operations of one turn of the event loop leave together as one batch, or as few. Answers are called in
 * one loop when the reply arrives, after the next batch has left.
 */
export class WriteBatcher {
  readonly #writer: Worker
  readonly #clock: Clock
  #expiryClock: Clock
  #operations: WriteOperation[] = []
  #answers: Answer[] = []
  readonly #flying: Answer[][] = []
  #scheduled = false
  #lastCommitMs = Infinity
  #idle: (() => void)[] = []
  /** Why nothing is written any more. */
  #broken: string | null = null

  constructor(writer: Worker, clock: Clock) {
    this.#writer = writer
    this.#clock = clock
    this.#expiryClock = clock
    writer.on('message', (reply: WriteReply) => this.#answer(reply))
  }

  expireBy(clock: Clock): void {
    this.#expiryClock = clock
  }

  /** Operations that have not been answered. */
  get waiting(): number {
    return this.#operations.length + this.#flying.length * operationsPerBatchMax
  }

  push(operation: WriteOperation, answer: Answer): void {
    const broken = this.#broken
    if (broken !== null) {
      setImmediate(() => answer({ kind: 'failed', message: broken, code: 'closed' }))
      return
    }
    this.#operations.push(operation)
    this.#answers.push(answer)
    if (this.#lastCommitMs < quickCommitMs && this.#operations.length >= operationsPerEarlyBatch) this.#flush()
    this.#schedule()
  }

  write(operation: WriteOperation): Promise<WriteOutcome> {
    return new Promise((resolve) => this.push(operation, resolve))
  }

  /** Resolves when everything pushed so far has been answered. */
  drained(): Promise<void> {
    if (this.#operations.length === 0 && this.#flying.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** The writer is gone: every operation that waits, and every one to come, is answered as failed. */
  fail(message: string): void {
    this.#broken = message
    const waiting = [...this.#flying.flat(), ...this.#answers]
    this.#flying.length = 0
    this.#operations = []
    this.#answers = []
    for (const answer of waiting) callBack<WriteOutcome>(answer, { kind: 'failed', message, code: 'closed' })
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #schedule(): void {
    if (this.#scheduled || this.#operations.length === 0 || this.#flying.length >= batchesInFlightMax) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#flying.length >= batchesInFlightMax || this.#operations.length === 0) return
    let operations = this.#operations
    let answers = this.#answers
    if (operations.length <= operationsPerBatchMax) {
      this.#operations = []
      this.#answers = []
    } else {
      operations = operations.splice(0, operationsPerBatchMax)
      answers = answers.splice(0, operationsPerBatchMax)
    }
    this.#flying.push(answers)
    this.#writer.postMessage({ nowMs: this.#clock(), expiryMs: this.#expiryClock(), operations } satisfies WriteBatch)
    this.#schedule()
  }

  #answer(reply: WriteReply): void {
    const answers = this.#flying.shift() ?? []
    this.#lastCommitMs = reply.tookMs
    this.#flush()
    answers.forEach((answer, index) => callBack(answer, reply.outcomes[index] ?? null))
    if (this.#operations.length === 0 && this.#flying.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve()
    }
  }
}
