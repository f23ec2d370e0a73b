import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { TransferPace } from './transfer-pace.ts'

/**
 * Closes the connection of a client that reads a file more slowly than the minimum rate. Otherwise
 * it could occupy the connection indefinitely. A client can resume with a Range request.
 */
export function disconnectSlowReaders(socket: Socket, stream: Readable, { bytesPerSecondMin, windowMs }: TransferPace): void {
  const bytesMin = (bytesPerSecondMin * windowMs) / 1000
  let previousBytes = sentBytesOf(socket)
  const timer = setInterval(() => {
    const currentBytes = sentBytesOf(socket)
    if (currentBytes - previousBytes < bytesMin) socket.destroy()
    previousBytes = currentBytes
  }, windowMs)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}

/** Number of bytes that this process has passed to the operating system for this socket. */
export function sentBytesOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
