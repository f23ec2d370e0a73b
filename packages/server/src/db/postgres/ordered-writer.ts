import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { callBack } from '../../lib/call-back.ts'
import type { Clock } from '../../lib/clock.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { claimedImagesBytesMax } from '../task-queue.ts'
import { batchParameters, type BatchOperation } from './batch-operations.ts'
import { readBatchResult, type BatchOutcome, type WrittenBatch } from './batch-result.ts'
import {
  lockTimeoutSql,
  awaitResult,
  destroyConnection,
  isCancelled,
  isSerializationFailure,
  isConnectionLost,
  isServerFailure,
  unavailableOf,
  type ConnectionPool,
} from './connections.ts'
import { repeatAligned } from '../../lib/repeat-aligned.ts'

/**
 * Maximum number of operations in a batch. It bounds the duration of a transaction. The first
 * operation gets its result only when the transaction ends.
 */
const operationsPerBatchMax = 512
/**
 * Maximum time for which a submit, a `find_refusal` or other work (`run`) waits for an unreachable
 * database.
 */
const acceptGracePeriodMs = 5_000
/**
 * Maximum time for which every other operation waits. It is longer, because the outcome of an
 * attempt that has caused costs must not be lost.
 */
const workGracePeriodMs = 60_000
const reconnectMsMax = 1_000
const sweepIntervalMs = 250
const serializationRetriesMax = 10

/**
 * Settings of the session. Most make the planner use indexes, even while it still estimates that a
 * table is empty.
 */
const sessionSettingsSql = [
  lockTimeoutSql,
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set jit = off',
  'set plan_cache_mode = force_generic_plan',
].join(';')

const writeBatch = {
  name: 'write_batch',
  text: 'select write_batch($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9::json, $10::json, $11::json, $12::json) as result',
}

const insertWriterSql = 'insert into writers (id, batch, opened_at) values ($1, 0, database_ms()) on conflict do nothing'
const lastBatchSql = 'select batch from writers where id = $1'
/**
 * Time after the last batch of a writer for which the database certainly keeps the writer's row.
 * When a process starts, it removes the rows of writers that have written no batch for a week.
 */
const writerRetentionMs = 6 * 24 * 60 * 60 * 1000

const selectImages = `
  select task_no, octet_length(images) as bytes,
    case when octet_length(images) <= ${claimedImagesBytesMax} then images end as text
  from task_images
  where task_no = any ($1)`

const mergeSlotCountsSql = 'select merge_slot_counts()'

export type Callback = (outcome: BatchOutcome | null) => void

/** Calls the callbacks of a batch that was written. */
type Delivery = () => void

interface QueuedOperation {
  operation: BatchOperation
  /** Null after the callback was called. */
  callback: Callback | null
  /** Time at which the operation fails, as `performance.now()`. */
  untilMs: number
}

interface QueuedWork {
  run: (client: pg.Client) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  untilMs: number
}

export interface OrderedWriterDependencies {
  connections: ConnectionPool
  /** Identifies this process in the table `writers`. */
  id: string
  /** A clock that replaces the clock of the database in tests. */
  testClock: Clock | null
  /**
   * Returns the time with which the expiry of grants and idempotency keys is compared while the
   * database's clock is not trusted. Null: the database's clock is used.
   */
  pendingExpiryMs: () => number | null
  /** Called with the changes of a batch, after the callbacks of the operations of that batch. */
  onWritten: (written: WrittenBatch) => void
  /**
   * Called after a reconnection if the database lacks a batch of this process that it had
   * confirmed, for example after a failover to a standby that had not received the batch.
   */
  onWritesLost: () => void
}

/**
 * Runs all writes of this process in order, on one connection. Operations are written in batches,
 * with one round trip for each batch. Other work (`run`) runs between the batches. Operations that
 * are pushed while a batch is in flight form the next batch. It is sent before the callbacks of the
 * previous batch are called, so that the database and this process work at the same time.
 *
 * If the connection is lost, a batch without a result is sent again with the same number on the
 * next connection. The database then either returns the stored result or runs the batch
 * (0007-write-batch.sql).
 *
 * An operation that has waited too long fails. If it was never sent, its outcome says that it was
 * not written. If it was sent on a lost connection, its outcome says that it may have been written,
 * and the writer still sends the batch again.
 */
export class OrderedWriter {
  readonly #dependencies: OrderedWriterDependencies
  #queue: (QueuedOperation | QueuedWork)[] = []
  #inFlight: QueuedOperation[] = []
  #client: pg.Client | null = null
  /** Whether the database session uses a time for expiry that differs from its clock. */
  #isExpiryPending = false
  #batchNo = 0
  /**
   * The last batch whose result has arrived, and the time of its arrival as `performance.now()`.
   */
  #confirmed = { batchNo: 0, atMs: 0 }
  #isWorking = false
  #isScheduled = false
  /** Time since which there is no connection. Null while there is one. */
  #unreachableSinceMs: number | null = null
  /** Time at which the batch or work in flight was sent. Null if there is none. */
  #requestedAtMs: number | null = null
  #pendingCount = 0
  #idleCallbacks: (() => void)[] = []
  #isClosed = false
  readonly #timer: Disposable

  constructor(dependencies: OrderedWriterDependencies) {
    this.#dependencies = dependencies
    this.#timer = repeatAligned(() => this.#sweep(), sweepIntervalMs)
  }

  /** Number of operations without a result. */
  get pendingCount(): number {
    return this.#pendingCount
  }

  /** Whether the database has been unreachable or unresponsive for longer than a submit waits. */
  get isUnavailable(): boolean {
    const sinceMs = this.#unreachableSinceMs ?? this.#requestedAtMs
    return sinceMs !== null && performance.now() - sinceMs > acceptGracePeriodMs
  }

  push(operation: BatchOperation, callback: Callback): void {
    if (this.#isClosed) {
      setImmediate(() => callback(unreachableOutcome))
      return
    }
    this.#pendingCount += 1
    const untilMs =
      performance.now() +
      (operation.kind === 'accept' || operation.kind === 'find_refusal' ? acceptGracePeriodMs : workGracePeriodMs)
    this.#queue.push({ operation, callback, untilMs })
    this.#schedule()
  }

  /**
   * Runs work between the batches, on the writing connection. The work is repeated after a
   * serialization failure, but not after the connection is lost.
   */
  run<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable())
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run: work,
        resolve: resolve as (value: unknown) => void,
        reject,
        untilMs: performance.now() + acceptGracePeriodMs,
      })
      this.#schedule()
    })
  }

  /**
   * Waits for the results of all pushed operations if the database is reachable. Then closes the
   * writer.
   */
  async close(): Promise<void> {
    const isBusy = this.#queue.length > 0 || this.#isWorking
    if (isBusy && this.#unreachableSinceMs === null) await new Promise<void>((resolve) => this.#idleCallbacks.push(resolve))
    await this.abandon()
  }

  /**
   * Closes the writer immediately, like a killed process. Operations without a result fail, and
   * those in flight may be written.
   */
  async abandon(): Promise<void> {
    this.#isClosed = true
    this.#timer[Symbol.dispose]()
    const client = this.#client
    this.#client = null
    for (const entry of this.#inFlight) this.#settle(entry, unknownOutcome)
    for (const entry of this.#queue.splice(0)) this.#reject(entry)
    await client?.end().catch(() => undefined)
  }

  /** Breaks the connection for tests, like a network failure. */
  breakConnection(): void {
    this.#disconnect()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isWorking) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#writeQueue()
    })
  }

  async #writeQueue(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    let deliver: Delivery | null = null
    while (!this.#isClosed) {
      const [head] = this.#queue
      if (deliver !== null && (head === undefined || 'run' in head || this.#client === null)) {
        deliver()
        deliver = null
        continue
      }
      if (head === undefined) break
      const client = this.#client
      if (client === null) {
        // The queue must be read again afterwards, because its head may have failed in the
        // meantime.
        await this.#connectedClient()
        continue
      }
      if ('run' in head) {
        this.#queue.shift()
        await this.#runWork(head, client)
      } else {
        this.#inFlight = this.#nextBatch()
        const written = this.#write(this.#inFlight)
        deliver?.()
        deliver = await written
        this.#inFlight = []
      }
    }
    deliver?.()
    this.#isWorking = false
    for (const resolve of this.#idleCallbacks.splice(0)) resolve()
  }

  #nextBatch(): QueuedOperation[] {
    const end = this.#queue.findIndex((entry) => 'run' in entry)
    const count = Math.min(end === -1 ? this.#queue.length : end, operationsPerBatchMax)
    if (count === this.#queue.length) return this.#queue.splice(0) as QueuedOperation[]
    return this.#queue.splice(0, count) as QueuedOperation[]
  }

  /**
   * Writes one batch. If the database rejects a batch, each half of it is written as a batch, until
   * the faulty operation is alone. Only this operation then fails. If the database still cancels
   * statements after `cancelledUntilMs`, for example because each of them waits for the same lock,
   * all other operations fail too. If there is a connection, the batch is sent before this method
   * returns.
   */
  async #write(batch: QueuedOperation[], cancelledUntilMs: number = performance.now() + acceptGracePeriodMs): Promise<Delivery> {
    this.#batchNo += 1
    const operations = batch.map(({ operation }) => operation)
    for (let serializationFailures = 0; ;) {
      const client = this.#client ?? (await this.#connectedClient())
      if (client === null) return () => undefined
      try {
        if (this.#mustSendExpiry()) await this.#sendExpiry(client)
        const batchNo = this.#batchNo
        const result = await this.#send(client, batchNo, operations)
        this.#confirmed = { batchNo, atMs: performance.now() }
        return () => {
          for (const [index, entry] of batch.entries()) this.#settle(entry, result.outcomes[index] ?? null)
          callBack(this.#dependencies.onWritten, result)
        }
      } catch (error) {
        if (isConnectionLost(error) || error instanceof InputsUnread) {
          this.#disconnect()
          continue
        }
        if (isSerializationFailure(error) && serializationFailures++ < serializationRetriesMax) continue
        if (batch.length === 1 || (isCancelled(error) && performance.now() > cancelledUntilMs)) {
          const outcome = failedOutcome(error)
          return () => batch.forEach((entry) => this.#settle(entry, outcome))
        }
        const half = Math.ceil(batch.length / 2)
        const deliver = await this.#write(batch.slice(0, half), cancelledUntilMs)
        deliver()
        return this.#write(batch.slice(half), cancelledUntilMs)
      }
    }
  }

  async #send(client: pg.Client, batchNo: number, operations: readonly BatchOperation[]): Promise<WrittenBatch> {
    const { id, testClock } = this.#dependencies
    const values = [id, batchNo, ...batchParameters(operations, testClock?.() ?? null)]
    const { rows } = await this.#awaitResult(client, client.query<{ result: string }>({ ...writeBatch, values }))
    const result = readBatchResult(rows[0]?.result ?? '', operations)
    await this.#readImages(client, result)
    return result
  }

  /**
   * Writes an operation in the transaction of work that `run` executes. If the connection is lost,
   * the operation is not repeated. Its batch therefore needs only a temporary writer id.
   */
  async writeIn(client: pg.Client, operation: BatchOperation): Promise<WrittenBatch> {
    const id = randomUUID()
    const values = [id, 1, ...batchParameters([operation], this.#dependencies.testClock?.() ?? null)]
    const { rows } = await client.query<{ result: string }>({ ...writeBatch, values })
    await client.query('delete from writers where id = $1', [id])
    return readBatchResult(rows[0]?.result ?? '', [operation])
  }

  /**
   * Reads the input files of claimed tasks, or only their size if they are large. The stored result
   * of the batch does not contain them. Rejects with `InputsUnread` if the server cancels the read.
   */
  async #readImages(client: pg.Client, { outcomes }: WrittenBatch): Promise<void> {
    const claims = outcomes.flatMap((outcome) => (outcome?.kind === 'claimed' || outcome?.kind === 'due' ? outcome.claims : []))
    const withImages = claims.filter(({ hasImages }) => hasImages)
    if (withImages.length === 0) return
    const { rows } = await this.#awaitResult(
      client,
      client.query<{ task_no: number; bytes: number; text: string | null }>(selectImages, [
        withImages.map(({ task }) => task.no),
      ]),
    ).catch((error: unknown) => {
      throw isCancelled(error) ? new InputsUnread('the input files of claimed tasks could not be read', { cause: error }) : error
    })
    const imagesOf = new Map(rows.map(({ task_no: no, bytes, text }) => [no, text === null ? { bytes } : { text }]))
    for (const claim of withImages) {
      const images = imagesOf.get(claim.task.no)
      if (images !== undefined) claim.images = images
    }
  }

  async #runWork({ run, resolve, reject }: QueuedWork, client: pg.Client): Promise<void> {
    for (let serializationFailures = 0; ; serializationFailures++) {
      try {
        if (this.#mustSendExpiry()) await this.#sendExpiry(client)
        resolve(await this.#awaitResult(client, run(client)))
        return
      } catch (error) {
        if (isSerializationFailure(error) && serializationFailures < serializationRetriesMax) continue
        if (isConnectionLost(error)) this.#disconnect()
        reject(unavailableOf(error))
        return
      }
    }
  }

  #mustSendExpiry(): boolean {
    return this.#isExpiryPending || this.#dependencies.pendingExpiryMs() !== null
  }

  async #sendExpiry(client: pg.Client): Promise<void> {
    const expiryMs = this.#dependencies.pendingExpiryMs()
    const text = "select set_config('framegate.expiry_ms', $1, false)"
    await this.#awaitResult(client, client.query(text, [expiryMs === null ? '' : String(expiryMs)]))
    this.#isExpiryPending = expiryMs !== null
  }

  async #awaitResult<T>(client: pg.Client, result: Promise<T>): Promise<T> {
    this.#requestedAtMs = performance.now()
    try {
      return await awaitResult(client, result)
    } finally {
      this.#requestedAtMs = null
    }
  }

  /** Returns the connection, and opens it if necessary. Returns null once this writer is closed. */
  async #connectedClient(): Promise<pg.Client | null> {
    for (let waitMs = 50; !this.#isClosed; waitMs = Math.min(waitMs * 2, reconnectMsMax)) {
      if (this.#client !== null) return this.#client
      try {
        const client = await this.#dependencies.connections.connect(async (newClient) => {
          await awaitResult(newClient, newClient.query(sessionSettingsSql))
          await awaitResult(newClient, newClient.query(insertWriterSql, [this.#dependencies.id]))
          await awaitResult(newClient, newClient.query(mergeSlotCountsSql))
          await this.#reportLostWrites(newClient)
        })
        if (this.#isClosed) {
          destroyConnection(client)
          return null
        }
        client.on('end', () => {
          if (this.#client === client) this.#disconnect()
        })
        this.#client = client
        this.#isExpiryPending = false
        this.#unreachableSinceMs = null
      } catch {
        this.#unreachableSinceMs ??= performance.now()
        // `close` does not wait for an unreachable database.
        for (const resolve of this.#idleCallbacks.splice(0)) resolve()
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
    return null
  }

  async #reportLostWrites(client: pg.Client): Promise<void> {
    const { batchNo, atMs } = this.#confirmed
    if (batchNo === 0 || performance.now() - atMs > writerRetentionMs) return
    const { rows } = await awaitResult(client, client.query<{ batch: number }>(lastBatchSql, [this.#dependencies.id]))
    if ((rows[0]?.batch ?? 0) >= batchNo) return
    this.#confirmed = { batchNo: 0, atMs: 0 }
    this.#dependencies.onWritesLost()
  }

  #disconnect(): void {
    this.#unreachableSinceMs ??= performance.now()
    if (this.#client !== null) destroyConnection(this.#client)
    this.#client = null
  }

  /**
   * Fails the operations and the work that have waited too long. An operation in flight fails only
   * if the database stays unreachable. It may have been written, and is still sent again.
   */
  #sweep(): void {
    const nowMs = performance.now()
    const isLost = this.#unreachableSinceMs !== null && nowMs - this.#unreachableSinceMs >= acceptGracePeriodMs
    for (const entry of isLost ? this.#inFlight : []) if (entry.untilMs < nowMs) this.#settle(entry, unknownOutcome)
    const expiredOperations = this.#queue.filter(({ untilMs }) => untilMs < nowMs)
    if (expiredOperations.length === 0) return
    this.#queue = this.#queue.filter(({ untilMs }) => untilMs >= nowMs)
    for (const entry of expiredOperations) this.#reject(entry)
  }

  #reject(entry: QueuedOperation | QueuedWork): void {
    if ('run' in entry) entry.reject(new StoreUnavailable())
    else this.#settle(entry, unreachableOutcome)
  }

  #settle(entry: QueuedOperation, outcome: BatchOutcome | null): void {
    const { callback } = entry
    if (callback === null) return
    entry.callback = null
    this.#pendingCount -= 1
    callBack(callback, outcome)
  }
}

/**
 * The batch was written, but not all of its result could be read. It must be sent again under the
 * same number, which changes nothing and returns the stored result.
 */
class InputsUnread extends Error {}

/** Outcome of an operation that was never sent. */
const unreachableOutcome: BatchOutcome = { kind: 'failed', code: 'unavailable', message: 'the database cannot be reached' }
/** Outcome of an operation that may have been written. */
const unknownOutcome: BatchOutcome = {
  kind: 'failed',
  code: 'error',
  message: 'the connection to the database was lost before the response',
}

function failedOutcome(error: unknown): BatchOutcome {
  const { message, code, constraint } = error as { message: string; code?: string; constraint?: string }
  if (isCancelled(error) || isSerializationFailure(error)) return { kind: 'failed', message, code: 'unavailable' }
  // A violation of `tasks_pkey` is transient too: another process has used the task number, and a
  // retried submit gets another number.
  const isTransient = code !== undefined && (isServerFailure(code) || constraint === 'tasks_pkey')
  return { kind: 'failed', message, ...(isTransient ? { code: 'unavailable', reason: code } : { code: 'error' }) }
}
