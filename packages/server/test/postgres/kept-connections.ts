import type pg from 'pg'
import { ConnectionPool, destroyConnection } from '../../src/db/postgres/connections.ts'

/**
 * Connections that the next store on the same database uses again. A new session of PostgreSQL
 * compiles every function at its first call, which takes most of the CPU time of a short test.
 */
export class KeptConnections extends ConnectionPool {
  readonly #idle = new Set<pg.Client>()
  #keepsClosed = true

  override async connect(prepare: (client: pg.Client) => Promise<void> = async () => undefined): Promise<pg.Client> {
    const client = this.#takeIdle() ?? (await this.#open())
    try {
      await prepare(client)
      return client
    } catch (error) {
      destroyConnection(client)
      throw error
    }
  }

  /** Called by a store that closes. */
  override async end(): Promise<void> {
    if (!this.#keepsClosed) await super.end()
  }

  /** From now on, a connection ends when it is closed. Also ends the kept connections. */
  async keepNone(): Promise<void> {
    this.#keepsClosed = false
    await Promise.all([...this.#idle].map(endSession))
  }

  #takeIdle(): pg.Client | undefined {
    const [client] = this.#idle
    if (client === undefined) return undefined
    this.#idle.delete(client)
    client.removeAllListeners('end')
    return client
  }

  async #open(): Promise<pg.Client> {
    const client = await super.connect()
    endSessions.set(client, client.end.bind(client))
    return Object.assign(client, { end: () => (this.#keepsClosed ? this.#keep(client) : endSession(client)) })
  }

  /** Keeps a connection that its user closes, in the state of a new one. */
  async #keep(client: pg.Client): Promise<void> {
    client.removeAllListeners('notification').removeAllListeners('end')
    try {
      await client.query('unlisten *; select pg_advisory_unlock_all(); reset all')
    } catch {
      destroyConnection(client)
      return
    }
    client.once('end', () => this.#idle.delete(client))
    this.#idle.add(client)
  }
}

/** The original method `end` of each connection. */
const endSessions = new WeakMap<pg.Client, () => Promise<void>>()

async function endSession(client: pg.Client): Promise<void> {
  await endSessions.get(client)?.()
}
