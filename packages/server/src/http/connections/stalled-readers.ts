import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { sentBytesOf } from './slow-readers.ts'

/**
 * Time after which a connection is closed if its client reads none of the waiting bytes. Because
 * the connection is only polled, the actual time is up to one polling interval shorter or longer.
 */
const stalledMs = 60_000
const pollsUntilStalled = 2

/**
 * Closes the connection of a client that stops reading a stream. Time without waiting bytes does
 * not count, because the source of the stream may be slow.
 */
export function disconnectStalledReaders(socket: Socket, stream: Readable): void {
  let previousBytes = -1
  let stalledPollCount = 0
  const timer = setInterval(() => {
    const currentBytes = sentBytesOf(socket)
    stalledPollCount = socket.writableLength > 0 && currentBytes === previousBytes ? stalledPollCount + 1 : 0
    previousBytes = currentBytes
    if (stalledPollCount >= pollsUntilStalled) socket.destroy()
  }, stalledMs / pollsUntilStalled)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}
