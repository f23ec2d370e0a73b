import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const pollIntervalMs = 100

/**
 * Distributes requests round-robin over the processes that report ready. It reuses connections and
 * never retries a request.
 */
export class LoadBalancer implements AsyncDisposable {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  readonly #origins: string[]
  #ready: string[] = []
  #next = 0
  /** Numbers of the last check that was started, and of the last one whose result was applied. */
  #lastCheck = 0
  #lastResult = 0
  readonly #timer: NodeJS.Timeout

  private constructor(origins: string[]) {
    this.#origins = origins
    this.#server = createServer((incoming, response) => this.#forward(incoming, response))
    this.#timer = setInterval(() => void this.#check(), pollIntervalMs)
  }

  static async open(origins: string[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(origins)
    await balancer.#check()
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async replace(index: number, origin: string): Promise<void> {
    this.#origins[index] = origin
    await this.#check()
  }

  async #check(): Promise<void> {
    this.#lastCheck += 1
    const check = this.#lastCheck
    const responses = await Promise.all(
      this.#origins.map(async (origin) => {
        const response = await fetch(`${origin}/readyz`).catch(() => undefined)
        return response?.ok === true ? [origin] : []
      }),
    )
    // On a busy machine, an earlier check may end later, and report a process as ready that has
    // stopped in the meantime.
    if (check < this.#lastResult) return
    this.#lastResult = check
    this.#ready = responses.flat()
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    this.#next += 1
    const origin = this.#ready[this.#next % this.#ready.length]
    if (origin === undefined) {
      response.writeHead(502).end()
      return
    }
    const { method = 'GET', url = '/', headers } = incoming
    const forwarded = request(origin + url, { method, headers, agent: this.#agent }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers)
      upstreamResponse.pipe(response)
    })
    forwarded.on('error', () => response.headersSent || response.writeHead(502).end())
    incoming.pipe(forwarded)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
