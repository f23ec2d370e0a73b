import { type buildConnector, Client } from 'undici'

/**
 * A connection is used again only if the age of its last response is between `settledMs` and
 * `reusableMs`. Earlier, the server may still be closing it after that response. Servers that keep
 * connections keep them for at least two seconds.
 */
const settledMs = 5
const reusableMs = 1_000
/** Longer than `reusableMs`, so that no connection is closed while it is taken. */
const closedAfterMs = 2_000
/**
 * Time for which each submit to an upstream uses a new connection, after the upstream has closed a
 * connection that could have been used again.
 */
const distrustMs = 10 * 60_000
/** Code of undici's error when this side closes a connection, for example as a response announced. */
const closedHereCode = 'UND_ERR_INFO'

/** A connection that serves one submit at a time. */
export interface SubmitConnection {
  origin: string
  client: Client
  /** Time of the last response, on a monotonic clock. */
  usedAtMs: number
}

/**
 * The connections for requests that may start a job. If a server closes a connection while it
 * receives a submit, it is unknown whether the job was started. A submit therefore uses a connection
 * again only shortly after a response on it (decision 0048).
 */
export class SubmitConnections implements AsyncDisposable {
  readonly #open = new Set<SubmitConnection>()
  /** Unused connections by origin, least recently used first. */
  readonly #unused = new Map<string, SubmitConnection[]>()
  readonly #distrustedUntilMs = new Map<string, number>()

  /** Returns a connection that may be used again, or undefined. */
  take(origin: string): SubmitConnection | undefined {
    const unused = this.#unused.get(origin) ?? []
    for (let oldest = unused[0]; oldest !== undefined; oldest = unused[0]) {
      const ageMs = performance.now() - oldest.usedAtMs
      if (ageMs < settledMs) return undefined
      unused.shift()
      if (ageMs < reusableMs) return oldest
      this.close(oldest)
    }
    return undefined
  }

  /** Creates a connection. `connect` replaces the connector of undici. */
  make(origin: string, connect: buildConnector.connector): SubmitConnection {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: closedAfterMs,
      keepAliveMaxTimeout: closedAfterMs,
    })
    const connection: SubmitConnection = { origin, client, usedAtMs: 0 }
    client.on('disconnect', (_origin, _targets, { code }) => {
      const isReusable = this.#open.has(connection) && performance.now() - connection.usedAtMs < reusableMs
      if (isReusable && code !== closedHereCode) this.#distrust(origin)
      this.close(connection)
    })
    this.#open.add(connection)
    return connection
  }

  /** Called after a whole response. The connection may be used again. */
  keep(connection: SubmitConnection): void {
    connection.usedAtMs = performance.now()
    this.putBack(connection)
  }

  /** Called when a connection was taken and nothing was sent over it. */
  putBack(connection: SubmitConnection): void {
    if (!this.#open.has(connection)) return
    const { origin } = connection
    const unused = this.#unused.get(origin)
    if ((this.#distrustedUntilMs.get(origin) ?? 0) > performance.now()) this.close(connection)
    else if (unused === undefined) this.#unused.set(origin, [connection])
    else unused.push(connection)
  }

  #distrust(origin: string): void {
    this.#distrustedUntilMs.set(origin, performance.now() + distrustMs)
    for (const connection of this.#unused.get(origin)?.splice(0) ?? []) this.close(connection)
  }

  /** Closes a connection whose submit has failed, or that cannot be used again. */
  close(connection: SubmitConnection): void {
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
