import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy to a local server. It cuts off some responses. */
export interface ResponseCutter extends AsyncDisposable {
  port: number
  /**
   * Resets the next connections, one for each number, after this many bytes of the first response.
   * -1 resets a connection before the request reaches the server.
   */
  cutAfter(...bytes: number[]): void
  /** Number of connections that are still to be reset. */
  readonly left: number
}

export async function openResponseCutter(targetPort: number): Promise<ResponseCutter> {
  const cuts: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((clientSocket) => {
    const cut = cuts.shift()
    clientSocket.on('error', () => {})
    if (cut === -1) clientSocket.once('data', () => clientSocket.resetAndDestroy())
    else connectTo(clientSocket, cut ?? Infinity)
  })

  function connectTo(clientSocket: Socket, cut: number): void {
    const serverSocket = connect({ port: targetPort, host: '127.0.0.1' })
    for (const socket of [clientSocket, serverSocket]) sockets.add(socket)
    clientSocket.pipe(serverSocket)
    clientSocket.on('close', () => serverSocket.destroy())
    serverSocket.on('error', () => clientSocket.destroy())
    serverSocket.on('close', () => clientSocket.destroy())
    let bytesLeft = cut
    serverSocket.on('data', (bytes) => {
      clientSocket.write(bytes.subarray(0, bytesLeft))
      bytesLeft -= bytes.byteLength
      if (bytesLeft > 0) return
      serverSocket.resetAndDestroy()
      setImmediate(() => clientSocket.resetAndDestroy())
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter: (...bytes) => void cuts.push(...bytes),
    get left() {
      return cuts.length
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
