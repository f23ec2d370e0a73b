import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Closes the connection of a client that takes nothing of a waiting response for this long. */
const stalledMs = 60_000
const pollsUntilStalled = 2

/**
 * Watches the client of a stream whose source may itself be slow. While bytes wait for the client, it
 * must take some.
 */
export function hangUpOnStalledReaders(socket: Socket, stream: Readable): void {
  let takenBefore = -1
  let polls = 0
  const timer = setInterval(() => {
    const taken = socket.bytesWritten - socket.writableLength
    polls = socket.writableLength > 0 && taken === takenBefore ? polls + 1 : 0
    takenBefore = taken
    if (polls >= pollsUntilStalled) socket.destroy()
  }, stalledMs / pollsUntilStalled)
  timer.unref()
  stream.once('close', () => clearInterval(timer))
}
