import { setTimeout as sleep } from 'node:timers/promises'

const heartbeat = Buffer.from(': the response continues\n\n')

/**
 * Adds a comment to an event stream whenever the stream was silent for `silenceMs`, so that proxies
 * do not close the connection. If `silenceMs` is 0, adds none, for clients that cannot parse them.
 */
export async function* withHeartbeats(events: AsyncIterableIterator<Buffer>, silenceMs: number): AsyncGenerator<Buffer, void> {
  if (silenceMs === 0) {
    yield* events
    return
  }
  try {
    for (let nextEvent = events.next(); ;) {
      const timer = new AbortController()
      const timeout = sleep(silenceMs, null, { signal: timer.signal, ref: false }).catch(() => null)
      const result = await Promise.race([nextEvent, timeout])
      timer.abort()
      if (result === null) {
        yield heartbeat
        continue
      }
      if (result.done === true) return
      yield result.value
      nextEvent = events.next()
    }
  } finally {
    void events.return?.()
  }
}
