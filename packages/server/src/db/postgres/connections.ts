import pg from 'pg'
import { StoreUnavailable } from '../store-unavailable.ts'
import { toStorable } from './storable-text.ts'

const connectMsMax = 5_000
/** Time limit of a read. The server enforces it. */
const readMsMax = 30_000
/** Time limit of a read if the server does not respond. This process enforces it. */
const readSilenceMsMax = readMsMax + 5_000
/** Time after which a server that does not respond counts as unreachable. */
const responseMsMax = 30_000
/**
 * Sets a lock timeout for the session, unless the operator has set one. `awaitResult` closes the
 * connection after `responseMsMax`. Without the lock timeout, the abandoned statement could wait
 * for a lock on the server forever. The lock timeout is longer than `responseMsMax`, so this
 * process sees a lost connection and not a failed statement. A statement that waits for no lock has
 * no time limit on the server. The server completes it, and a batch that is sent again gets the
 * stored result.
 */
export const lockTimeoutSql = `select set_config('lock_timeout', '${responseMsMax + 5_000}', false) where current_setting('lock_timeout') = '0'`
/**
 * Time after which the server ends a transaction that waits for its client. It bounds the time for
 * which a suspended process holds locks.
 */
const idleInTransactionMsMax = 10_000

const serverSql = `
  select extract(epoch from pg_postmaster_start_time())::text as "startedAt", pg_is_in_recovery() as "isStandby"`

const readLimits = { statement_timeout: readMsMax, query_timeout: readSilenceMsMax }

/**
 * Replaces the weaker TLS modes of a URL by `verify-full`. pg treats them all as `verify-full`, but
 * logs long warnings about them.
 */
function withStrictTls(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=true/.test(databaseUrl)) return databaseUrl
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

/**
 * Integer types that are read as JavaScript numbers. Only amounts that an earlier version wrote can
 * exceed 2^53. They are rounded to the nearest number. The database itself calculates exactly.
 */
const integerTypes: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

const typeParsers: pg.CustomTypesConfig = {
  // The cast is safe, because pg accepts any function as the parser of a type.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    integerTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/**
 * The connections of this process to its database: a pool for reads, and single connections for
 * other uses, such as writes and notifications.
 */
export class ConnectionPool {
  readonly #config: pg.ClientConfig
  readonly pool: pg.Pool
  /** The open connections, each with the start time of its server, which identifies the server. */
  readonly #serverOf = new Map<pg.ClientBase, string>()
  /** The URL of the database without user and password. */
  readonly displayUrl: string

  constructor(databaseUrl: string, poolMax: number) {
    this.#config = {
      connectionString: withStrictTls(databaseUrl),
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: typeParsers,
      application_name: 'framegate',
    }
    this.pool = new pg.Pool({
      ...this.#config,
      max: poolMax,
      ...readLimits,
      idleTimeoutMillis: 60_000,
      verify: (client, done) => void this.#verify(client, done),
    })
    // The error is ignored: a pooled connection that breaks while idle is replaced on the next use.
    this.pool.on('error', () => undefined)
    // The error is ignored: the statement in flight is also rejected, and its caller reports it.
    this.pool.on('connect', (client) => client.on('error', () => undefined))
    const { host, port, database } = new pg.Client(this.#config)
    this.displayUrl = `${host.startsWith('/') ? host : `${host}:${port}`}/${database ?? ''}`
  }

  /**
   * Opens a connection outside the pool and runs `prepare` on it. The caller closes the connection.
   */
  async connect(prepare: (client: pg.Client) => Promise<void> = async () => undefined): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, idle_in_transaction_session_timeout: idleInTransactionMsMax })
    // The error is ignored: the statement in flight is also rejected, and its caller reports it.
    client.on('error', () => undefined)
    await client.connect()
    try {
      await awaitResult(client, this.#recordServer(client))
      await prepare(client)
      return client
    } catch (error) {
      destroyConnection(client)
      throw error
    }
  }

  /**
   * Runs a read. Retries it once if the connection was lost, or if the server aborted it to resolve
   * a deadlock, for example with a migration. A read that timed out is not retried, because the
   * server is slow or every connection is busy, and a retry would only add load.
   */
  async read<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]> {
    const encodedQuery = query.values === undefined ? query : { ...query, values: query.values.map(toStorable) }
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.pool.query<Row>(encodedQuery)).rows
      } catch (error) {
        const isSlow = isTimeout(error)
        const isRetried = isConnectionLost(error) || isSerializationFailure(error)
        if (!isSlow && !isRetried) throw unavailableOf(error)
        if (isSlow || attempt === 2) throw new StoreUnavailable({ cause: error })
      }
    }
  }

  /**
   * Records the server of a new connection. If the server is a primary, closes the connections to
   * all other servers. After a failover, the earlier primary may still run and respond, but a read
   * there would miss all later writes.
   */
  async #recordServer(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ startedAt: string; isStandby: boolean }>(serverSql)
    const [server] = rows
    if (server === undefined) throw new Error('the server did not report its start time')
    this.#serverOf.set(client, server.startedAt)
    client.once('end', () => this.#serverOf.delete(client))
    if (server.isStandby) return
    for (const [otherClient, startedAt] of this.#serverOf) if (startedAt !== server.startedAt) destroyConnection(otherClient)
  }

  /**
   * Records the server of a new connection of the pool. Calls `done`, with the error if this fails.
   */
  async #verify(client: pg.PoolClient, done: (error?: Error) => void): Promise<void> {
    const error = await this.#recordServer(client).then(
      () => undefined,
      (cause: unknown) => cause as Error,
    )
    done(error)
  }

  async end(): Promise<void> {
    await this.pool.end().catch(() => undefined)
  }
}

/** Closes the connection immediately, without a message to the server. */
export function destroyConnection(client: pg.ClientBase): void {
  const { stream } = (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

/**
 * Waits for the result of a statement. If the server does not respond in time, closes the
 * connection, which rejects the call.
 */
export async function awaitResult<T>(client: pg.Client, result: Promise<T>): Promise<T> {
  const timer = setTimeout(() => destroyConnection(client), responseMsMax)
  try {
    return await result
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether the statement timed out: either the server cancelled it (57014, its statement_timeout),
 * or this process stopped waiting for a connection or a response.
 */
function isTimeout(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  return code === '57014' || (code === undefined && /timeout/.test(message))
}

/** Whether the connection was lost. The outcome of the statement is then unknown. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  if (typeof code !== 'string')
    return /^(Connection terminated|timeout e|Client (was|has)|Query read timeout|The server does)/.test(message)
  return socketCodes.has(code) || shutdownCodes.has(code) || code.startsWith('08')
}

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/**
 * Error codes (errcodes-appendix) of these states: the server is stopping, has crashed or has not
 * yet started; it has ended the session; it has no free connection; it has become a read-only
 * standby.
 */
const shutdownCodes = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '25006', '53300'])

/**
 * Whether the server's disk, memory or files caused the error (classes 53 and 58). Nothing was read
 * or written, and a retry may succeed.
 */
export function isServerFailure(code: string): boolean {
  return code.startsWith('53') || code.startsWith('58')
}

/**
 * Whether the server has cancelled the statement (57014, 55P03), because an operator requested this
 * or because of `statement_timeout` or `lock_timeout`. Nothing was read or written, and a retry may
 * succeed.
 */
export function isCancelled(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '57014' || code === '55P03'
}

/** Whether TLS with the server failed. */
export function isTlsError(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  if (typeof code !== 'string') return /SSL connection/.test(message)
  return /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code)
}

/**
 * Whether the server rejects all connections: it does not accept the user or the password (class
 * 28), the database was renamed or dropped (3D000), or an operator has set the database to allow no
 * connections (55000).
 */
function isConnectionRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && (code.startsWith('28') || code === '3D000' || code === '55000')
}

/**
 * Returns a `StoreUnavailable` for an error that a retry may overcome, and the error itself
 * otherwise.
 */
export function unavailableOf(error: unknown): unknown {
  const isUnavailable = [isConnectionLost, isConnectionRefused, isTlsError, isCancelled, isSerializationFailure]
  if (isUnavailable.some((matches) => matches(error))) return new StoreUnavailable({ cause: error })
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && isServerFailure(code) ? new StoreUnavailable({ cause: error, reason: code }) : error
}

/**
 * Whether the server aborted the transaction because of a conflict with another one. A retry can
 * succeed.
 */
export function isSerializationFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40001' || code === '40P01'
}
