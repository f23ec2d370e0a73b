import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { InOrder } from '../../lib/in-order.ts'
import { slotsMax } from '../../lib/task-id.ts'
import type { WorkersShare } from '../store.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { answered, breakOff, isConnectionLost, type Connections } from './connections.ts'

const reconnectMsMax = 2_000
const measureEveryMs = 10_000
/** A measure that took longer says too little; the first one says more than this machine's clock, however long it took. */
const roundTripMsMax = 500
/** What was asked for last is waited for so long before the connection is closed. */
const lastWordsMsMax = 1_000
/** Of this database's advisory locks, those of the slots of processes: "slot". */
const slotLocks = 0x736c6f74
/** Those of the slots of processes that work: "work". */
const workLocks = 0x776f726b
const channel = 'framegate'

const nowInDatabase = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms'

export interface StandingOptions {
  connections: Connections
  onMessage: (payload: string) => void
  /** Whatever happened while nobody listened was missed. */
  onReconnected: () => void
}

/**
 * The connection that a process keeps for as long as it lives. On it, it listens to the others, holds the lock on its slot, and looks
 * how far the database's clock is from its own. It is made anew whenever it is lost.
 *
 * The slot is among the bits of the ids that this process gives to tasks: no two processes have the same. Without a connection, or
 * beyond so many processes, one may be used twice; two tasks of one number are then refused by the database, the second to come.
 */
export class StandingConnection {
  readonly #options: StandingOptions
  /** pg asks one thing of a connection at a time. */
  readonly #asking = new InOrder()
  #client: pg.Client | null = null
  #slot = Math.floor(Math.random() * slotsMax)
  /** Null until the first measure. */
  #aheadMs: number | null = null
  #isWorker = false
  #workers: WorkersShare = { count: 1, rank: 0 }
  #isClosed = false
  readonly #timer: NodeJS.Timeout

  private constructor(options: StandingOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.measure(), measureEveryMs)
    this.#timer.unref()
  }

  static async open(options: StandingOptions): Promise<StandingConnection> {
    const standing = new StandingConnection(options)
    try {
      await standing.#connect()
      return standing
    } catch (error) {
      await standing.close()
      throw isConnectionLost(error) ? new StoreUnavailable({ cause: error }) : error
    }
  }

  get slot(): number {
    return this.#slot
  }

  /** Whether it hears what other processes tell. A connection that died is found out within some seconds. */
  get isListening(): boolean {
    return this.#client !== null
  }

  /** As of the last measure. */
  get workers(): WorkersShare {
    return this.#workers
  }

  /** Without a connection the next one does it. */
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

  /** The database's clock, as every process of the installation sees it, whatever its own machine says. */
  clock(): number {
    return Math.floor(performance.timeOrigin + performance.now() + (this.#aheadMs ?? 0))
  }

  /** To all who listen, this process too. A hint: lost with the connection. */
  tell(payload: string): void {
    void this.#ask('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.race([this.#asking.settled(), sleep(lastWordsMsMax, undefined, { ref: false })])
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  /** Others see it when it is ready. */
  async #connect(): Promise<void> {
    const client = await this.#options.connections.connect(async (made) => {
      made.on('notification', ({ payload }) => {
        if (payload !== undefined) this.#options.onMessage(payload)
      })
      await answered(made, made.query(`listen ${channel}`))
      await answered(made, this.#takeSlot(made))
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

  /** Nothing where there is no connection. */
  async #ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#asking.run(() => this.#askNow<Row>(text, [...values]))
  }

  async #askNow<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const client = this.#client
    return client === null ? [] : (await answered(client, client.query<Row>(text, values))).rows
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

  /** The one it had, when it is still free. */
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

  /** Looks how far the clocks are apart, and who works. Without a connection the last measure holds. */
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

  /** The locks say who is there: that of a process which has died goes with its connection. */
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
