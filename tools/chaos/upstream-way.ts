import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { CuttableWay } from '../../packages/server/test/cuttable-way.ts'

/** A way to an upstream that can also refuse new connections. */
export interface UpstreamWay extends CuttableWay {
  /** New connections are refused until `admit`; those that stand go on. */
  refuse(): void
  admit(): Promise<void>
}

export async function openUpstreamWay(targetPort: number): Promise<UpstreamWay> {
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
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of pairs) for (const socket of pair) act(socket)
  }
  function end(): void {
    each((socket) => socket.destroy())
    server.close()
  }
  return {
    port,
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
    refuse: () => void server.close(),
    async admit() {
      if (!server.listening) await listen(port)
    },
    end,
    async [Symbol.asyncDispose]() {
      end()
      await Promise.resolve()
    },
  }
}
