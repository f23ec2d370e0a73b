import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server on this machine whose connections can be broken. It looks at no byte that passes. */
export interface CuttableWay extends AsyncDisposable {
  port: number
  /** Resets every connection, in the middle of whatever passes. Says how many there were. */
  cut(): number
  /** Nothing passes in either direction until `goOn`, and nobody is told. */
  stall(): void
  goOn(): void
}

export async function openWay(targetPort: number): Promise<CuttableWay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isStalled = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.setNoDelay(true)
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
      one.pipe(other)
      if (isStalled) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of pairs) for (const socket of pair) act(socket)
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      const count = pairs.size
      each((socket) => socket.resetAndDestroy())
      return count
    },
    stall() {
      isStalled = true
      each((socket) => socket.pause())
    },
    goOn() {
      isStalled = false
      each((socket) => socket.resume())
    },
    async [Symbol.asyncDispose]() {
      each((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
