import type { Readable } from 'node:stream'
import { orAborted } from '../lib/or-aborted.ts'

/**
 * Reads a stream until the signal aborts. An abort does not wait for the source, because a hanging
 * source may not end even if it is destroyed.
 */
export async function* untilAborted(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  for (;;) {
    const next = await orAborted(chunks.next(), signal)
    if (next.done) return
    yield next.value
  }
}
