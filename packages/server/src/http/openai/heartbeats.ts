import { setTimeout as sleep } from 'node:timers/promises'

const heartbeat = Buffer.from(': the response continues\n\n')

/**
 * Adds a comment to a stream of events after each silence of `silenceMs`. Comments keep proxies
 * from closing a silent connection. With 0 there are no comments, because simple clients do not
 * expect them.
 */
export async function* withHeartbeats(events: AsyncIterableIterator<Buffer>, silenceMs: number): AsyncGenerator<Buffer, void> {
  if (silenceMs === 0) {
    yield* events
    return
  }
  try {
    for (let next = events.next(); ;) {
      const timer = new AbortController()
      const timeout = sleep(silenceMs, null, { signal: timer.signal, ref: false }).catch(() => null)
      const first = await Promise.race([next, timeout])
      timer.abort()
      if (first === null) {
        yield heartbeat
        continue
      }
      if (first.done === true) return
      yield first.value
      next = events.next()
    }
  } finally {
    void events.return?.()
  }
}
