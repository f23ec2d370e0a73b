import { type buildConnector, Client } from 'undici'

/**
 * A connection is reused only if the age of its last response is between `reusableFromMs` and
 * `reusableUntilMs`. Before that, the server may be about to close it. Servers that keep
 * connections alive do so for at least two seconds.
 */
const reusableFromMs = 5
const reusableUntilMs = 1_000
/** Longer than `reusableUntilMs`, so that no connection is closed while it is acquired. */
const idleTimeoutMs = 2_000
/**
 * Time for which every submit to an upstream uses a new connection after the upstream has closed a
 * reusable one.
 */
const newConnectionsOnlyMs = 10 * 60_000
/**
 * Code of undici's error for a connection that this process closed, such as after
 * `Connection: close`.
 */
const closedHereCode = 'UND_ERR_INFO'

/** A connection that serves one submit at a time. */
export interface SubmitConnection {
  origin: string
  client: Client
  /** Time of the last response, on a monotonic clock. 0 before the first response. */
  lastResponseAtMs: number
}

/**
 * Connections for requests that may start a job. If a server closes a connection during a submit,
 * it is unknown whether the job was started. A connection is therefore reused only shortly after
 * its last response (decision 0048).
 */
export class SubmitConnections implements AsyncDisposable {
  readonly #open = new Set<SubmitConnection>()
  /** Unused connections by origin, least recently used first. */
  readonly #unused = new Map<string, SubmitConnection[]>()
  readonly #distrustedUntilMs = new Map<string, number>()

  /** Acquires a reusable connection. Returns undefined if there is none. */
  acquire(origin: string): SubmitConnection | undefined {
    const unusedConnections = this.#unused.get(origin) ?? []
    for (let oldest = unusedConnections[0]; oldest !== undefined; oldest = unusedConnections[0]) {
      const ageMs = performance.now() - oldest.lastResponseAtMs
      if (ageMs < reusableFromMs) return undefined
      unusedConnections.shift()
      if (ageMs < reusableUntilMs) return oldest
      this.close(oldest)
    }
    return undefined
  }

  /** Creates a connection. `connect` replaces the connector of undici. */
  open(origin: string, connect: buildConnector.connector): SubmitConnection {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
    })
    const connection: SubmitConnection = { origin, client, lastResponseAtMs: 0 }
    client.on('disconnect', (_origin, _targets, { code }) => {
      const isReusable = this.#open.has(connection) && performance.now() - connection.lastResponseAtMs < reusableUntilMs
      if (isReusable && code !== closedHereCode) this.#distrust(origin)
      this.close(connection)
    })
    this.#open.add(connection)
    return connection
  }

  /** Returns the connection after a complete response, for reuse. */
  release(connection: SubmitConnection): void {
    connection.lastResponseAtMs = performance.now()
    this.returnUnused(connection)
  }

  /** Returns a connection over which nothing was sent. */
  returnUnused(connection: SubmitConnection): void {
    if (!this.#open.has(connection)) return
    const { origin } = connection
    const unusedConnections = this.#unused.get(origin)
    if ((this.#distrustedUntilMs.get(origin) ?? 0) > performance.now()) this.close(connection)
    else if (unusedConnections === undefined) this.#unused.set(origin, [connection])
    else unusedConnections.push(connection)
  }

  #distrust(origin: string): void {
    this.#distrustedUntilMs.set(origin, performance.now() + newConnectionsOnlyMs)
    for (const connection of this.#unused.get(origin)?.splice(0) ?? []) this.close(connection)
  }

  /** Closes a connection whose submit has failed, or that cannot be reused. */
  close(connection: SubmitConnection): void {
    if (!this.#open.delete(connection)) return
    const unusedConnections = this.#unused.get(connection.origin)
    const index = unusedConnections?.indexOf(connection) ?? -1
    if (index !== -1) unusedConnections?.splice(index, 1)
    connection.client.destroy().catch(() => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map(({ client }) => client.destroy()))
  }
}
