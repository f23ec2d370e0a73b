import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A way to a database that can end, on its own in the middle of a start: from then on nothing is reached by it. */
export class DatabaseProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  readonly #endsAt: string | null

  private constructor(target: URL, endsAt: string | null) {
    this.#target = target
    this.#endsAt = endsAt
    this.#server = createServer((client) => this.#pass(client))
  }

  /** With `endsAt`, it ends when a client sends that, and the database never hears of it. */
  static async open(databaseUrl: string, endsAt: string | null = null): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl), endsAt)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  end(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.end()
    await once(this.#server, 'close')
  }

  #pass(client: Socket): void {
    const database = connect(Number(this.#target.port), this.#target.hostname)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
    client.on('data', (sent) => {
      if (this.#endsAt !== null && sent.includes(this.#endsAt)) this.end()
      else database.write(sent)
    })
    database.pipe(client)
  }
}
