import { EventEmitter } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { migrate } from '../../src/db/sqlite/migrate.ts'
import { openReadingConnection, openWritingConnection } from '../../src/db/sqlite/open-database.ts'
import { returnLeases } from '../../src/db/sqlite/return-leases.ts'
import { SqliteStore } from '../../src/db/sqlite/sqlite-store.ts'
import { verifyCredits } from '../../src/db/sqlite/verify-credits.ts'
import { LogFlags } from '../../src/db/sqlite/write-ahead-log.ts'
import { Writer } from '../../src/db/sqlite/writer.ts'
import type { WriteBatch } from '../../src/db/write-operations.ts'
import type { PoolState } from '../../src/db/task-queue.ts'
import type { Clock } from '../../src/lib/clock.ts'

/**
 * Creates a temporary folder, in memory if the system has such a file system, because thousands of
 * cases commit there.
 */
export function makeFastFolder(): string {
  return mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'framegate-routing-'))
}

/**
 * A SQLite store whose worker threads are objects in this thread. It uses the same writer and
 * files, and is much faster than a store with real threads.
 */
export interface InProcessStore {
  store: SqliteStore
  /** Whether no write is in flight. */
  readonly isIdle: boolean
  /** The connection from which the store reads. */
  readonly reader: DatabaseSync
  /** Returns the state of all slot pools directly from the writer, without sending it a message. */
  readPools(): PoolState[]
  /** Kills the store: drops uncommitted writes and replies in flight. */
  crash(): Promise<void>
}

/**
 * `delayTicks` returns the number of event-loop ticks after which a batch reaches the writer, or
 * its reply reaches the store.
 */
export function openInProcessStore(file: string, clock: Clock, delayTicks: () => number): InProcessStore {
  const writer = new WriterInProcess(file, clock(), delayTicks)
  const checkpointer = new CheckpointerInProcess(file)
  // SqliteStore only uses the parts of a Worker that an event emitter with `postMessage` and
  // `threadId` has.
  const threads = { writer: writer as never as Worker, startCheckpointer: () => checkpointer as never as Worker }
  const reader = openReadingConnection(file)
  const store = new SqliteStore({ ...threads, logFlags: new LogFlags(), reader, file, clock })
  return {
    store,
    get isIdle() {
      return writer.isIdle
    },
    reader,
    readPools: () => writer.readPools(clock()),
    async crash() {
      writer.stop()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Copies a migrated database, which is faster than migrating for each case. */
export function copyDatabase(from: string, to: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(to + suffix, { force: true })
  copyFileSync(from, to)
}

class WriterInProcess extends EventEmitter {
  threadId = 1
  readonly #database: DatabaseSync
  readonly #writer: Writer
  readonly #delayTicks: () => number
  #inProgress = 0
  #isStopped = false
  #tail = Promise.resolve()

  constructor(file: string, nowMs: number, delayTicks: () => number) {
    super()
    this.#delayTicks = delayTicks
    this.#database = openWritingConnection(file)
    migrate(this.#database, nowMs)
    returnLeases(this.#database, nowMs)
    this.#writer = new Writer(this.#database, nowMs)
  }

  get isIdle(): boolean {
    return this.#inProgress === 0
  }

  readPools(nowMs: number): PoolState[] {
    const [outcome] = this.#writer.apply({ nowMs, expiryMs: nowMs, operations: [{ kind: 'read_pools' }] })
    if (outcome?.kind !== 'pools') throw new Error(`the pools cannot be read: ${JSON.stringify(outcome)}`)
    return outcome.pools
  }

  postMessage(message: WriteBatch | 'close'): void {
    if (this.#isStopped) return
    if (message === 'close') return this.stop()
    this.#inProgress += 1
    const batch = clone(message)
    this.#tail = this.#tail.then(() => this.#apply(batch))
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#inProgress = 0
    this.#database.close()
    this.threadId = -1
    this.emit('exit', 0)
  }

  async #apply(batch: WriteBatch): Promise<void> {
    await passTicks(this.#delayTicks())
    if (this.#isStopped) return
    const outcomes = this.#writer.apply(batch)
    await passTicks(this.#delayTicks())
    if (this.#isStopped) return
    this.#inProgress -= 1
    this.emit('message', clone({ outcomes, tookMs: 0, hasEvents: this.#writer.takeRecordedEvents() }))
  }
}

class CheckpointerInProcess extends EventEmitter {
  threadId = 1
  readonly #file: string

  constructor(file: string) {
    super()
    this.#file = file
  }

  postMessage(message: 'verify' | 'close'): void {
    setImmediate(() => {
      if (message === 'close') {
        this.threadId = -1
        this.emit('exit', 0)
        return
      }
      const reader = openReadingConnection(this.#file)
      this.emit('message', verifyCredits(reader))
      reader.close()
    })
  }
}

/** Clones like `structuredClone`, which takes several times as long for objects and arrays. */
function clone<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? structuredClone(value) : value
  if (Array.isArray(value)) return value.map(clone) as Value
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value)
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) copy[key] = clone(field)
  return copy as Value
}

async function passTicks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve))
}
