import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { mediaLockClass, otherMediaUsersSql } from '../media-location.ts'
import { slotsMax } from '../../identity/task-id.ts'
import type { WorkerPosition } from '../workers.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { lockTimeoutSql, awaitResult, isConnectionLost, unavailableOf, type ConnectionPool } from './connections.ts'

const reconnectPauseMsMax = 2_000
const measureIntervalMs = 10_000
/**
 * Clock measurements with a longer round trip are discarded, because the measured offset is too
 * uncertain. The first measurement is always used, because it is still better than no measurement.
 */
const roundTripMsMax = 500
/** Maximum wait for queued statements before the connection is closed. */
const flushTimeoutMs = 1_000
/** Advisory-lock class for the slots of processes (see `ListenConnection`): "slot" in ASCII. */
const slotLockClass = 0x736c6f74
/** Advisory-lock class for the slots of workers, the processes that run tasks: "work" in ASCII. */
const workerLockClass = 0x776f726b
/** The channel of the notifications between processes. */
export const channel = 'framegate'

const workerLockSql = 'select pg_try_advisory_lock($1, $2)'
const mediaLockSql = 'select pg_try_advisory_lock_shared($1, $2)'
const databaseTimeSql = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms'

export interface ListenDependencies {
  connections: ConnectionPool
  onMessage: (payload: string) => void
  /** Called after a reconnection, because notifications may have been missed. */
  onReconnected: () => void
}

/**
 * A connection that the process keeps open to receive notifications, to hold advisory locks, and to
 * measure the offset of the database's clock from its own clock. A lost connection is replaced.
 *
 * One of the locks is on the process's slot: a number that is part of the task ids that the process
 * creates, so that two processes create different ids. Two processes may use the same slot if the
 * connection is lost, or if there are more processes than slots. If both then create the same task
 * id, the database rejects the second insert.
 */
export class ListenConnection {
  readonly #dependencies: ListenDependencies
  /** A queue, because pg runs one statement at a time on a connection. */
  readonly #queries = new SerialQueue()
  #client: pg.Client | null = null
  #slot = Math.floor(Math.random() * slotsMax)
  /** Offset of the database's clock, milliseconds. Null until the first measurement. */
  #clockOffsetMs: number | null = null
  #isWorker = false
  /** Key of the advisory lock of this process's media store. Null: no lock is held. */
  #mediaLockKey: number | null = null
  #workers: WorkerPosition = { count: 1, rank: 0 }
  #isClosed = false
  readonly #timer: NodeJS.Timeout

  private constructor(dependencies: ListenDependencies) {
    this.#dependencies = dependencies
    this.#timer = setInterval(() => void this.measure(), measureIntervalMs)
    this.#timer.unref()
  }

  static async open(dependencies: ListenDependencies): Promise<ListenConnection> {
    const listenConnection = new ListenConnection(dependencies)
    try {
      await listenConnection.#connect()
      return listenConnection
    } catch (error) {
      await listenConnection.close()
      throw isConnectionLost(error) ? new StoreUnavailable({ cause: error }) : error
    }
  }

  get slot(): number {
    return this.#slot
  }

  /**
   * Whether this process receives notifications. A server that no longer responds is detected when
   * the next statement times out, at most 40 seconds later (`measureIntervalMs` and `awaitResult`).
   */
  get isListening(): boolean {
    return this.#client !== null
  }

  /** The number of workers, and the rank of this process among them, at the last count. */
  get workers(): WorkerPosition {
    return this.#workers
  }

  /**
   * Registers this process as a worker. Without a connection, it is registered after the next
   * reconnection.
   */
  async joinWorkers(): Promise<void> {
    this.#isWorker = true
    await this.#query(workerLockSql, [workerLockClass, this.#slot]).catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error
    })
    await this.measure()
  }

  async leaveWorkers(): Promise<void> {
    if (!this.#isWorker) return
    this.#isWorker = false
    await this.#query('select pg_advisory_unlock($1, $2)', [workerLockClass, this.#slot]).catch(() => undefined)
  }

  /**
   * Registers this process as a user of a media store. If other processes use another one,
   * registers nothing and returns their addresses. The lock is taken before the query, so that of
   * two processes that start at the same time, at least one sees the other. Throws a
   * `StoreUnavailable` if the connection is missing or lost.
   */
  async joinMediaStore(lockKey: number): Promise<string[]> {
    const join = async (): Promise<string[]> => {
      const client = this.#client
      if (client === null) throw new StoreUnavailable()
      const run = (sql: string) => awaitResult(client, client.query<{ host: string }>(sql, [mediaLockClass, lockKey]))
      await run(mediaLockSql)
      const others = (await run(otherMediaUsersSql)).rows
      if (others.length === 0) this.#mediaLockKey = lockKey
      else await run('select pg_advisory_unlock_shared($1, $2)')
      return others.map(({ host }) => host)
    }
    return await this.#queries.run(join).catch((error: unknown) => {
      throw unavailableOf(error)
    })
  }

  /**
   * Returns the time of the database's clock in Unix milliseconds. All processes of the
   * installation share this clock, even if the clocks of their machines differ.
   */
  now(): number {
    return Math.floor(performance.timeOrigin + performance.now() + (this.#clockOffsetMs ?? 0))
  }

  /**
   * Sends a notification to all listening processes, including this one. A notification is only a
   * hint, and may be lost with the connection.
   */
  publish(payload: string): void {
    void this.#query('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.race([this.#queries.untilSettled(), sleep(flushTimeoutMs, undefined, { ref: false })])
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  /**
   * Opens the connection. If the connection is lost during this call, the call rejects and the
   * caller tries again. The `end` handler also reconnects, so it is set last.
   */
  async #connect(): Promise<void> {
    await this.#dependencies.connections.connect(async (client) => {
      client.on('notification', ({ payload }) => {
        if (payload !== undefined) this.#dependencies.onMessage(payload)
      })
      await awaitResult(client, client.query(`${lockTimeoutSql}; listen ${channel}`))
      await awaitResult(client, this.#acquireSlot(client))
      if (this.#isWorker) await awaitResult(client, client.query(workerLockSql, [workerLockClass, this.#slot]))
      if (this.#mediaLockKey !== null) await awaitResult(client, client.query(mediaLockSql, [mediaLockClass, this.#mediaLockKey]))
      if (this.#isClosed) throw new StoreUnavailable()
      client.on('end', () => void this.#reconnect(client))
      this.#client = client
    })
    await this.measure()
  }

  /** Runs a statement. Without a connection it returns no rows. */
  async #query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#queries.run(() => this.#queryNow<Row>(text, [...values]))
  }

  async #queryNow<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const client = this.#client
    return client === null ? [] : (await awaitResult(client, client.query<Row>(text, values))).rows
  }

  async #reconnect(lostClient: pg.Client): Promise<void> {
    if (this.#client !== lostClient) return
    this.#client = null
    for (let waitMs = 50; !this.#isClosed; waitMs = Math.min(waitMs * 2, reconnectPauseMsMax)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      try {
        await this.#connect()
        this.#dependencies.onReconnected()
        return
      } catch {
        // The next iteration opens another connection.
      }
    }
  }

  /**
   * Takes `#slot` if it is free, and another slot otherwise. `#slot` is random for the first
   * connection, and the previous slot after that. If no slot is free, the process keeps `#slot`
   * without a lock.
   */
  async #acquireSlot(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ slot: number }>(
      `select slot
       from unnest($1::int[]) as slot
       where pg_try_advisory_lock($2, slot)
       limit 1`,
      [[this.#slot, ...Array.from({ length: slotsMax }, (_, slot) => slot)], slotLockClass],
    )
    this.#slot = rows[0]?.slot ?? this.#slot
  }

  /**
   * Measures the offset of the clocks and, if this process is a worker, counts the workers. Without
   * a connection, the last values remain in use.
   */
  async measure(): Promise<void> {
    await this.#queries.run(() => this.#measureClock()).catch(() => undefined)
    if (this.#isWorker) await this.#countWorkers().catch(() => undefined)
  }

  async #measureClock(): Promise<void> {
    const sentMs = performance.now()
    const [row] = await this.#queryNow<{ ms: number }>(databaseTimeSql, [])
    const receivedMs = performance.now()
    if (row === undefined || (this.#clockOffsetMs !== null && receivedMs - sentMs > roundTripMsMax)) return
    this.#clockOffsetMs = row.ms - (performance.timeOrigin + (sentMs + receivedMs) / 2)
  }

  /**
   * Counts the workers by counting their advisory locks. The lock of a dead process disappears
   * together with its connection.
   */
  async #countWorkers(): Promise<void> {
    const rows = await this.#query<{ slot: number }>(
      `select objid::int as slot
       from pg_locks
       where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())
       order by slot`,
      [workerLockClass],
    )
    const rank = rows.findIndex(({ slot }) => slot === this.#slot)
    if (rank >= 0) this.#workers = { count: rows.length, rank }
  }
}
