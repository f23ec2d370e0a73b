import { type buildConnector, Client } from 'undici'

/**
 * A connection is reused only if the age of its last response is between `reusableFromMs` and
 * `reusableUntilMs`. Before that, the server may be about to close the connection. A server that
 * keeps connections alive is expected to do so for at least two seconds.
 */
const reusableFromMs = 5
const reusableUntilMs = 1_000
/**
 * Time after which undici closes an idle connection. A server can shorten it with `Keep-Alive:
 * timeout=…`. A submit whose connection was closed before it was sent uses a new one.
 */
const idleTimeoutMs = 2_000
/**
 * Time for which every submit to an upstream uses a new connection, from the moment at which the
 * upstream has closed a reusable one.
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
  /** Idle connections by origin, those with the oldest response first. */
  readonly #idle = new Map<string, SubmitConnection[]>()
  readonly #distrustedUntilMs = new Map<string, number>()

  /** Acquires a reusable connection. Returns undefined if there is none. */
  acquire(origin: string): SubmitConnection | undefined {
    const idleConnections = this.#idle.get(origin) ?? []
    for (let connection = idleConnections[0]; connection !== undefined; connection = idleConnections[0]) {
      if (ageMsOf(connection) < reusableFromMs) return undefined
      idleConnections.shift()
      if (this.isReusable(connection)) return connection
      this.close(connection)
    }
    return undefined
  }

  /** Whether a submit may be sent over an acquired connection now. */
  isReusable(connection: SubmitConnection): boolean {
    return ageMsOf(connection) < reusableUntilMs && !this.#isDistrusted(connection.origin)
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
      const hasRecentResponse = this.#open.has(connection) && ageMsOf(connection) < reusableUntilMs
      if (hasRecentResponse && code !== closedHereCode) this.#distrust(origin)
      this.close(connection)
    })
    this.#open.add(connection)
    return connection
  }

  /** Returns the connection after a complete response, for reuse. */
  release(connection: SubmitConnection): void {
    connection.lastResponseAtMs = performance.now()
    this.#returnIdle(connection)
  }

  /** Returns an acquired connection over which nothing was sent. */
  releaseUnsent(connection: SubmitConnection): void {
    this.#returnIdle(connection)
  }

  #returnIdle(connection: SubmitConnection): void {
    if (!this.#open.has(connection)) return
    const { origin, lastResponseAtMs } = connection
    if (this.#isDistrusted(origin)) {
      this.close(connection)
      return
    }
    const idleConnections = this.#idle.get(origin) ?? []
    this.#idle.set(origin, idleConnections)
    const lastOlderIndex = idleConnections.findLastIndex((idle) => idle.lastResponseAtMs <= lastResponseAtMs)
    idleConnections.splice(lastOlderIndex + 1, 0, connection)
  }

  #isDistrusted(origin: string): boolean {
    return (this.#distrustedUntilMs.get(origin) ?? 0) > performance.now()
  }

  #distrust(origin: string): void {
    this.#distrustedUntilMs.set(origin, performance.now() + newConnectionsOnlyMs)
    for (const connection of this.#idle.get(origin)?.splice(0) ?? []) this.close(connection)
  }

  /** Closes a connection whose submit has failed, or that cannot be reused. */
  close(connection: SubmitConnection): void {
    if (!this.#open.delete(connection)) return
    const idleConnections = this.#idle.get(connection.origin)
    const index = idleConnections?.indexOf(connection) ?? -1
    if (index !== -1) idleConnections?.splice(index, 1)
    connection.client.destroy().catch(() => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map(({ client }) => client.destroy()))
  }
}

/** Returns the age of the last response. */
function ageMsOf({ lastResponseAtMs }: SubmitConnection): number {
  return performance.now() - lastResponseAtMs
}
