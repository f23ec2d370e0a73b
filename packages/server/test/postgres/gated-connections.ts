import type pg from 'pg'
import { destroyConnection, ConnectionPool } from '../../src/db/postgres/connections.ts'
import type { VirtualProcess } from '../routing/virtual-time.ts'
import type { Messages } from './messages.ts'
import type { StatementGate } from './statement-gate.ts'

/** The database connections of one worker of a test case. All traffic passes the gate. */
export class GatedConnections extends ConnectionPool {
  readonly #process: VirtualProcess
  readonly #gate: StatementGate
  readonly #messages: Messages
  readonly #clients = new Set<pg.Client>()

  constructor(url: string, process: VirtualProcess, gate: StatementGate, messages: Messages) {
    super(url, 2)
    this.#process = process
    this.#gate = gate
    this.#messages = messages
    this.pool.on('connect', (client) => this.#clients.add(client as pg.Client))
    this.pool.on('remove', (client) => this.#clients.delete(client as pg.Client))
  }

  override async connect(prepare: (client: pg.Client) => Promise<void> = async () => undefined): Promise<pg.Client> {
    const client = await this.#gate.pass(this.#process, () => super.connect())
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
    this.#gateQueries(client)
    try {
      await prepare(client)
      return client
    } catch (error) {
      destroyConnection(client)
      throw error
    }
  }

  override async read<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]> {
    // No case changes the configuration, and each worker checks for changes twice a second.
    if (query.name === 'config_version') return []
    return this.#gate.pass(this.#process, () => super.read<Row>(query))
  }

  override end(): Promise<void> {
    return this.#gate.pass(this.#process, () => super.end())
  }

  /** Closes all connections immediately, as if the process were killed. */
  destroy(): void {
    for (const client of this.#clients) {
      this.#messages.clear(client)
      destroyConnection(client)
    }
  }

  #gateQueries(client: pg.Client): void {
    const query = client.query.bind(client) as (...requested: unknown[]) => Promise<unknown>
    const end = client.end.bind(client)
    Object.assign(client, {
      query: (...requested: unknown[]) =>
        this.#gate.pass(this.#process, () => this.#messages.track(client, requested[0], query(...requested))),
      end: () =>
        this.#gate.pass(this.#process, () => {
          this.#messages.clear(client)
          return end()
        }),
    })
  }
}
