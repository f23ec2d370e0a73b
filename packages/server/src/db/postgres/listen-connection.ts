import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { InOrder } from '../../lib/in-order.ts'
import { slotsMax } from '../../identity/task-id.ts'
import type { WorkersShare } from '../workers.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { awaitResult, breakOff, isConnectionLost, type Connections } from './connections.ts'

const reconnectMsMax = 2_000
const measureIntervalMs = 10_000
/**
 * A measurement that took longer is too uncertain to use. The first one is used in any case,
 * because it is still better than this machine's clock.
 */
const roundTripMsMax = 500
/** Longest wait for the last statements before the connection is closed. */
const flushTimeoutMs = 1_000
/** Advisory lock class for the slots of processes: "slot". */
const slotLocks = 0x736c6f74
/** Advisory lock class for the slots of processes that run tasks: "work". */
const workLocks = 0x776f726b
const channel = 'framegate'

const nowInDatabase = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms'

export interface ListenOptions {
  connections: Connections
  onMessage: (payload: string) => void
  /** Called after a reconnection: notifications may have been missed. */
  onReconnected: () => void
}

/**
 * The connection that a process keeps until it ends. On it the process listens for
 * notifications, holds the lock on its slot, and measures the offset of the database's clock from
 * its own. A lost connection is replaced.
 *
 * The slot is part of the ids that this process gives to tasks, so no two processes create the same
 * id. Without a connection, or with more processes than slots, a slot may be used twice. The
 * database then refuses the second of two tasks with the same number.
 */
export class ListenConnection {
  readonly #options: ListenOptions
  /** Serializes statements: pg runs one at a time on a connection. */
  readonly #asking = new InOrder()
  #client: pg.Client | null = null
  #slot = Math.floor(Math.random() * slotsMax)
  /** Null until the first measurement. */
  #aheadMs: number | null = null
  #isWorker = false
  #workers: WorkersShare = { count: 1, rank: 0 }
  #isClosed = false
  readonly #timer: NodeJS.Timeout

  private constructor(options: ListenOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.measure(), measureIntervalMs)
    this.#timer.unref()
  }

  static async open(options: ListenOptions): Promise<ListenConnection> {
    const listenConnection = new ListenConnection(options)
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
   * Whether this process receives notifications. A dead connection is detected within some seconds.
   */
  get isListening(): boolean {
    return this.#client !== null
  }

  /** As of the last measurement. */
  get workers(): WorkersShare {
    return this.#workers
  }

  /** Without a connection, the process joins when it is connected again. */
  async joinWorkers(): Promise<void> {
    this.#isWorker = true
    await this.#showWork().catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error
    })
    await this.measure()
  }

  async leaveWorkers(): Promise<void> {
    if (!this.#isWorker) return
    this.#isWorker = false
    await this.#ask('select pg_advisory_unlock($1, $2)', [workLocks, this.#slot]).catch(() => undefined)
  }

  /**
   * The database's clock. All processes of the installation share it, even if the clocks of their
   * machines differ.
   */
  clock(): number {
    return Math.floor(performance.timeOrigin + performance.now() + (this.#aheadMs ?? 0))
  }

  /**
   * Notifies all listening processes, this one included. A notification is a hint and is lost with
   * the connection.
   */
  publish(payload: string): void {
    void this.#ask('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.race([this.#asking.settled(), sleep(flushTimeoutMs, undefined, { ref: false })])
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  /** Other methods use the connection only once it is ready. */
  async #connect(): Promise<void> {
    const client = await this.#options.connections.connect(async (made) => {
      made.on('notification', ({ payload }) => {
        if (payload !== undefined) this.#options.onMessage(payload)
      })
      await awaitResult(made, made.query(`listen ${channel}`))
      await awaitResult(made, this.#takeSlot(made))
    })
    if (this.#isClosed) {
      breakOff(client)
      throw new StoreUnavailable()
    }
    client.on('end', () => void this.#reconnect(client))
    this.#client = client
    await this.#showWork()
    await this.measure()
  }

  /** Returns no rows if there is no connection. */
  async #ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#asking.run(() => this.#askNow<Row>(text, [...values]))
  }

  async #askNow<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const client = this.#client
    return client === null ? [] : (await awaitResult(client, client.query<Row>(text, values))).rows
  }

  async #showWork(): Promise<void> {
    if (this.#isWorker) await this.#ask('select pg_try_advisory_lock($1, $2)', [workLocks, this.#slot])
  }

  async #reconnect(lost: pg.Client): Promise<void> {
    if (this.#client !== lost) return
    this.#client = null
    for (let waitMs = 50; !this.#isClosed; waitMs = Math.min(waitMs * 2, reconnectMsMax)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      try {
        await this.#connect()
        this.#options.onReconnected()
        return
      } catch {
        this.#client = null
      }
    }
  }

  /** Takes the previous slot if it is still free, otherwise another one. */
  async #takeSlot(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ slot: number }>(
      `select slot
       from unnest($1::int[]) as slot
       where pg_try_advisory_lock($2, slot)
       limit 1`,
      [[this.#slot, ...Array.from({ length: slotsMax }, (_, slot) => slot)], slotLocks],
    )
    this.#slot = rows[0]?.slot ?? this.#slot
  }

  /**
   * Measures the offset of the clocks and counts the workers. Without a connection the last
   * measurement stays in use.
   */
  async measure(): Promise<void> {
    await this.#asking.run(() => this.#measureClock()).catch(() => undefined)
    if (this.#isWorker) await this.#countWorkers().catch(() => undefined)
  }

  async #measureClock(): Promise<void> {
    const sentMs = performance.now()
    const [row] = await this.#askNow<{ ms: number }>(nowInDatabase, [])
    const receivedMs = performance.now()
    if (row === undefined || (this.#aheadMs !== null && receivedMs - sentMs > roundTripMsMax)) return
    this.#aheadMs = row.ms - (performance.timeOrigin + (sentMs + receivedMs) / 2)
  }

  /**
   * The locks show which processes are present: the lock of a dead process disappears with its
   * connection.
   */
  async #countWorkers(): Promise<void> {
    const rows = await this.#ask<{ slot: number }>(
      `select objid::int as slot
       from pg_locks
       where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())
       order by slot`,
      [workLocks],
    )
    const rank = rows.findIndex(({ slot }) => slot === this.#slot)
    if (rank >= 0) this.#workers = { count: rows.length, rank }
  }
}
