import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { TransferPace } from './transfer-pace.ts'

/**
 * Closes the connection of a client that reads a file so slowly that its only purpose can be to
 * hold the connection. An honest client resumes with Range.
 */
export function hangUpOnSlowReaders(socket: Socket, stream: Readable, { bytesPerSecondMin, windowMs }: TransferPace): void {
  const bytesMin = (bytesPerSecondMin * windowMs) / 1000
  let takenBefore = takenBy(socket)
  const timer = setInterval(() => {
    const taken = takenBy(socket)
    if (taken - takenBefore < bytesMin) socket.destroy()
    takenBefore = taken
  }, windowMs)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}

/** Bytes that have left this process. */
function takenBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
