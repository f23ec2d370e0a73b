import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy to a local server, whose connections a test can break. */
export interface CuttableProxy extends AsyncDisposable {
  port: number
  /** Resets all connections, even in the middle of a transfer. Returns their number. */
  cut(): number
  /** Stalls all traffic in both directions until `resume`. Neither side is notified. */
  stall(): void
  resume(): void
  /** Rejects new connections until `admit`. Existing ones continue. */
  refuse(): void
  admit(): Promise<void>
  /** Connects new clients to another local server. Existing connections continue. */
  moveTo(port: number): void
  /** Closes all connections and accepts no new ones. */
  end(): void
}

/**
 * Opens a proxy. With `closingText`, the proxy closes when a client sends this text. The text does
 * not reach the server.
 */
export async function openCuttableProxy(initialPort: number, closingText: string | null = null): Promise<CuttableProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isStalled = false
  let targetPort = initialPort
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [source, target] of [pair, [far, near] as const]) {
      source.setNoDelay(true)
      source.on('error', () => target.resetAndDestroy())
      source.on('close', () => {
        pairs.delete(pair)
        target.destroy()
      })
      if (closingText !== null && source === near)
        source.on('data', (bytes) => (bytes.includes(closingText) ? end() : target.write(bytes)))
      else source.pipe(target)
      if (isStalled) source.pause()
    }
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const forEachSocket = (act: (socket: Socket) => void): void => {
    for (const pair of pairs) for (const socket of pair) act(socket)
  }
  function end(): void {
    forEachSocket((socket) => socket.destroy())
    server.close()
  }
  return {
    port,
    cut() {
      const count = pairs.size
      forEachSocket((socket) => socket.resetAndDestroy())
      return count
    },
    stall() {
      isStalled = true
      forEachSocket((socket) => socket.pause())
    },
    resume() {
      isStalled = false
      forEachSocket((socket) => socket.resume())
    },
    refuse: () => void server.close(),
    async admit() {
      if (!server.listening) await listen(port)
    },
    moveTo(newPort) {
      targetPort = newPort
    },
    end,
    async [Symbol.asyncDispose]() {
      const wasListening = server.listening
      end()
      if (wasListening) await once(server, 'close')
    },
  }
}

export interface DatabaseProxy extends CuttableProxy {
  /** URL of the database through this proxy. */
  url: string
}

export async function openDatabaseProxy(databaseUrl: string, closingText: string | null = null): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl)
  const proxy = await openCuttableProxy(Number(url.port), closingText)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { ...proxy, url: url.href }
}
