import type { RequestOptions } from './call-options.ts'
import { FramegateError } from './framegate-error.ts'
import { readEvents, type ServerSentEvent } from './read-events.ts'
import { isRetryable, pause, pauseSecondsBefore } from './retry.ts'
import type { Call, Transport } from './transport.ts'

export type StreamOptions = Pick<RequestOptions, 'signal' | 'onRetry'>

export interface FollowedStream {
  call: Pick<Call, 'path' | 'query'>
  /** Where to resume. Default: at the present. */
  lastEventId?: string | undefined
  /** Whether the stream is over with this event. */
  isLast: (event: ServerSentEvent) => boolean
  /**
   * Maximum number of consecutive attempts without an event, after which the error is thrown.
   * Default: 12. They take at least a minute, in which a service can restart.
   */
  lostMax?: number | undefined
  /** Time limit for the first bytes of a connection in seconds. Default: 45. */
  silentSecondsMaxAtStart?: number | undefined
}

const lostMaxDefault = 12
/** The service sends something every 15 seconds. After three times that, the connection is dead. */
const silentSecondsMax = 45

/** Yields the events of a stream. A broken or ended connection is resumed after the last event. */
export async function* followStream(
  transport: Transport,
  { call, lastEventId, isLast, lostMax = lostMaxDefault, silentSecondsMaxAtStart = silentSecondsMax }: FollowedStream,
  { signal, onRetry }: StreamOptions,
): AsyncGenerator<ServerSentEvent> {
  let last = lastEventId
  for (let lost = 0; ;) {
    const watch = watchSilence(silentSecondsMaxAtStart, signal)
    try {
      const response = await transport.openStream(call, { lastEventId: last, signal: watch.signal })
      // 204: the service has nothing more to send.
      if (response === null) return
      for await (const event of readEvents(response, () => watch.heard())) {
        last = event.id === '' ? last : event.id
        if (event.data === '') continue
        lost = 0
        yield event
        if (isLast(event)) return
      }
    } catch (cause) {
      signal?.throwIfAborted()
      const error = cause instanceof FramegateError ? cause : brokenStream(cause)
      lost += 1
      if (lost > lostMax || !isRetryable(error)) throw error
      const delaySeconds = pauseSecondsBefore(lost, error.retryAfterSeconds)
      onRetry?.({ error, count: lost, delaySeconds })
      await pause(delaySeconds, signal)
      continue
    } finally {
      watch.stop()
    }
    // The service ends streams when it stops, and those of accounts every ten minutes.
    await pause(pauseSecondsBefore(1, null), signal)
  }
}

function brokenStream(cause: unknown): FramegateError {
  return new FramegateError({ code: 'connection_failed', message: 'The connection of the stream was lost.', cause })
}

/** A signal that the caller's signal aborts, and silence: at first that of the first bytes. */
function watchSilence(firstSeconds: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  let timer = setTimeout(abort, firstSeconds * 1000)
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    heard(): void {
      clearTimeout(timer)
      timer = setTimeout(abort, silentSecondsMax * 1000)
    },
    stop(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}
