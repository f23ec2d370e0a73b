import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { TransferPace } from './transfer-pace.ts'

/**
 * Hangs up on who takes a file so slowly that it can only be meant to keep the connection. An honest client goes on where it was,
 * by Range.
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
