import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { TransferPace } from './transfer-pace.ts'

/**
 * Closes the connection of a client that reads a file more slowly than the minimum rate, because it
 * would occupy the connection indefinitely. A legitimate client can resume with a Range request.
 */
export function disconnectSlowReaders(socket: Socket, stream: Readable, { bytesPerSecondMin, windowMs }: TransferPace): void {
  const bytesMin = (bytesPerSecondMin * windowMs) / 1000
  let previousBytes = bytesReceivedBy(socket)
  const timer = setInterval(() => {
    const currentBytes = bytesReceivedBy(socket)
    if (currentBytes - previousBytes < bytesMin) socket.destroy()
    previousBytes = currentBytes
  }, windowMs)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}

/** Number of bytes of this socket that this process has passed to the operating system. */
function bytesReceivedBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
