import { followStream, type StreamOptions } from './follow-stream.ts'
import { parseObject } from './parse-object.ts'
import type { Transport } from './transport.ts'
import type { FramegateEvent, RecordedEventType } from './webhook.ts'

export interface EventStreamOptions extends StreamOptions {
  /** Default: `task.completed` and `task.failed`. */
  types?: readonly RecordedEventType[] | undefined
  /**
   * `streamId` of the last event that your program has received. The stream begins with the events
   * after it. The service keeps events for 24 hours. Default: only new events.
   */
  lastEventId?: string | undefined
}

/** An event of the account's stream. `streamId` is its position in the stream. */
export type StreamedEvent = FramegateEvent & { streamId: string }

export interface Events {
  /**
   * Yields the account's events until the signal aborts or you leave the loop: `for await (const
   * event of client.events.stream())`. Resumes after a lost connection.
   */
  stream(options?: EventStreamOptions): AsyncGenerator<StreamedEvent>
}

export function createEvents(transport: Transport): Events {
  return {
    async *stream({ types, lastEventId, ...options } = {}) {
      const call = { path: '/v2/events', query: { types: types?.join(',') } }
      for await (const event of followStream(transport, { call, lastEventId, isLast: () => false }, options)) {
        yield { ...(parseObject(event.data) as FramegateEvent), streamId: event.id }
      }
    },
  }
}
