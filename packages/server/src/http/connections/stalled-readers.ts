import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Time after which a connection is closed if its client reads none of the waiting bytes. */
const stalledMs = 60_000
const pollsUntilStalled = 2

/**
 * Closes the connection of a client that stops reading a stream. Only time with waiting bytes
 * counts, because the source of the stream may be slow.
 */
export function disconnectStalledReaders(socket: Socket, stream: Readable): void {
  let previousBytes = -1
  let polls = 0
  const timer = setInterval(() => {
    const currentBytes = socket.bytesWritten - socket.writableLength
    polls = socket.writableLength > 0 && currentBytes === previousBytes ? polls + 1 : 0
    previousBytes = currentBytes
    if (polls >= pollsUntilStalled) socket.destroy()
  }, stalledMs / pollsUntilStalled)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}
