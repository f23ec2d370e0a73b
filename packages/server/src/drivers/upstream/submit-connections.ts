import { buildConnector, Client } from 'undici'

/**
 * Time for which a connection is used again after a response. Servers close idle connections after
 * two seconds or more, so a submit does not meet a connection that the server is just closing.
 */
const reusableMs = 1_000
/**
 * Time for which each submit to an upstream uses a new connection, after a connection that was used
 * again has lost a submit.
 */
const distrustMs = 10 * 60_000

/** A connection that serves one submit at a time. */
export interface SubmitConnection {
  origin: string
  client: Client
  /** Time of the last response, of a monotonic clock. */
  usedAtMs: number
  isOpen: boolean
}

/**
 * The connections for requests that may start a job. If a server closes a connection while a submit
 * is on its way, it is unknown whether the job was started, and no protocol of HTTP/1.1 tells it.
 * So a submit uses a connection again only right after a response on it. This saves a handshake for
 * each submit of a busy upstream, and a quiet one gets a new connection each time.
 */
export class SubmitConnections implements AsyncDisposable {
  readonly #open = new Set<SubmitConnection>()
  /** Unused connections by origin, the last used one last. */
  readonly #unused = new Map<string, SubmitConnection[]>()
  readonly #distrustedUntilMs = new Map<string, number>()

  /** Returns a connection that may be used again, or undefined. */
  take(origin: string): SubmitConnection | undefined {
    const unused = this.#unused.get(origin)
    const connection = unused?.pop()
    if (connection === undefined) return undefined
    if (performance.now() - connection.usedAtMs < reusableMs) return connection
    // The others were used before this one.
    for (const old of [connection, ...(unused?.splice(0) ?? [])]) this.close(old)
    return undefined
  }

  /** Makes a connection. `connect` replaces the connector of undici. */
  make(origin: string, connect: buildConnector.connector): SubmitConnection {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: reusableMs,
      keepAliveMaxTimeout: reusableMs,
    })
    const connection: SubmitConnection = { origin, client, usedAtMs: 0, isOpen: true }
    client.on('disconnect', () => this.close(connection))
    this.#open.add(connection)
    return connection
  }

  /** Called after a whole response. The connection may be used again. */
  keep(connection: SubmitConnection): void {
    const { origin, isOpen } = connection
    if (!isOpen) return
    if ((this.#distrustedUntilMs.get(origin) ?? 0) > performance.now()) {
      this.close(connection)
      return
    }
    connection.usedAtMs = performance.now()
    const unused = this.#unused.get(origin)
    if (unused === undefined) this.#unused.set(origin, [connection])
    else unused.push(connection)
  }

  /** Called when a connection that was used again has lost a submit. */
  distrust(origin: string): void {
    this.#distrustedUntilMs.set(origin, performance.now() + distrustMs)
    for (const connection of this.#unused.get(origin)?.splice(0) ?? []) this.close(connection)
  }

  close(connection: SubmitConnection): void {
    connection.isOpen = false
    if (!this.#open.delete(connection)) return
    const unused = this.#unused.get(connection.origin)
    const index = unused?.indexOf(connection) ?? -1
    if (index !== -1) unused?.splice(index, 1)
    connection.client.destroy().catch(() => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map(({ client }) => client.destroy()))
  }
}
