import type { Readable } from 'node:stream'

/**
 * Reads a stream until the signal aborts. A source that hangs may not end even when it is
 * destroyed, so an abort does not wait for the source.
 */
export async function* untilAborted(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  aborted.catch(() => {})
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
