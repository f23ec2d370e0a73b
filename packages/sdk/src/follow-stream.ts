import type { RequestOptions } from './call-options.ts'
import { FramegateError } from './framegate-error.ts'
import { readEvents, type ServerSentEvent } from './read-events.ts'
import { isRetryable, pause, pauseSecondsBefore } from './retry.ts'
import { startTimeout } from './start-timeout.ts'
import type { Call, Transport } from './transport.ts'

export type StreamOptions = Pick<RequestOptions, 'signal' | 'onRetry'>

export interface FollowedStream {
  call: Pick<Call, 'path' | 'query'>
  /**
   * Id of the event after which the stream resumes. Default: none, the service chooses the start.
   */
  lastEventId?: string | undefined
  /** Whether this is the last event of the stream. */
  isLast: (event: ServerSentEvent) => boolean
  /**
   * Maximum number of consecutive connections that fail without an event. The error of the next one
   * is thrown. Default: 12. Unless the service sends a Retry-After, the pauses after 12 failures
   * add up to at least 71 seconds, which is long enough for a restart of the service.
   */
  failuresMax?: number | undefined
  /** Timeout for the first bytes of a connection, in seconds. Default: 45. */
  firstBytesSecondsMax?: number | undefined
}

const failuresMaxDefault = 12
/**
 * Idle timeout. The service sends an event or a heartbeat at least every 15 seconds. A connection
 * that receives nothing for three times as long is considered dead.
 */
const silentSecondsMax = 45

/**
 * Yields the events of a stream. Reconnects after a broken or ended connection, and resumes after
 * the last event.
 */
export async function* followStream(
  transport: Transport,
  { call, lastEventId, isLast, failuresMax = failuresMaxDefault, firstBytesSecondsMax = silentSecondsMax }: FollowedStream,
  { signal, onRetry }: StreamOptions,
): AsyncGenerator<ServerSentEvent> {
  let lastId = lastEventId
  for (let failures = 0; ;) {
    const idleTimeout = startTimeout(firstBytesSecondsMax, signal)
    try {
      const response = await transport.openStream(call, { lastEventId: lastId, signal: idleTimeout.signal })
      // 204: the service has nothing more to send.
      if (response === null) return
      for await (const event of readEvents(response, () => idleTimeout.restart(silentSecondsMax))) {
        lastId = event.id === '' ? lastId : event.id
        if (event.data === '') continue
        failures = 0
        yield event
        if (isLast(event)) return
      }
    } catch (cause) {
      signal?.throwIfAborted()
      const error = cause instanceof FramegateError ? cause : brokenStream(cause)
      failures += 1
      if (failures > failuresMax || !isRetryable(error)) throw error
      const delaySeconds = pauseSecondsBefore(failures, error.retryAfterSeconds)
      onRetry?.({ error, count: failures, delaySeconds })
      await pause(delaySeconds, signal)
      continue
    } finally {
      idleTimeout.stop()
      idleTimeout.abort()
    }
    // The stream ended without an error. The service ends all streams when it shuts down, and
    // account streams every ten minutes.
    await pause(pauseSecondsBefore(1, null), signal)
  }
}

function brokenStream(cause: unknown): FramegateError {
  return new FramegateError({ code: 'connection_failed', message: 'The connection of the event stream was lost.', cause })
}
