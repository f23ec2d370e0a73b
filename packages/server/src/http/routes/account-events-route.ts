import { defaultEventTypes, eventStreamParameters, recordedEventTypes } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { authorize, principalOf } from '../authorize.ts'
import { readQueryParameters } from '../parameters/query-parameters.ts'
import { requireEventStreamAccepted } from '../responses/accepts.ts'
import { eventStreamHeaders, type EventStream } from '../streams/event-stream.ts'
import { readLastEventId } from '../streams/last-event-id.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

const heartbeatMs = 14_000
/** Maximum duration of a stream. The client then reconnects. */
const streamMsMax = 10 * 60_000

/**
 * Adds the route that streams the events of an account as server-sent events. The id of an event is
 * its position in the account's feed of recorded events.
 */
export function addAccountEventsRoute(
  app: FastifyInstance,
  { config, feeds, keys, streams }: Pick<HttpDependencies, 'config' | 'feeds' | 'keys' | 'streams'>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/events`,
    onRequest: authorize(keys, 'tasks:read', requireEventStreamAccepted),
    async handler(request, reply) {
      const { types: rawTypes } = readQueryParameters(request.query, eventStreamParameters)
      const typeNames = rawTypes?.split(',') ?? defaultEventTypes
      const types = new Set(recordedEventTypes.filter((type) => typeNames.some((name) => name === type)))
      const { accountNo } = principalOf(request)
      if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send()
      const latestPosition = await feeds.open(accountNo)
      const receivedPosition = readLastEventId(request)
      streams.start(request, reply, async (stream) => {
        const untilMs = performance.now() + streamMsMax
        // A position after the latest one must come from another installation.
        let position = receivedPosition === null || receivedPosition > latestPosition ? latestPosition : receivedPosition
        await stream.sendPosition(String(position))
        while (!stream.isClosed && performance.now() < untilMs) {
          const watching = watch(stream, accountNo)
          try {
            const page = await feeds.read(accountNo, position, types)
            for (const { position: eventPosition, type, text } of page.events) {
              await streams.requireAdmitted(request)
              await stream.send({ event: type, id: String(eventPosition), data: text })
            }
            const isAtEnd = page.position === position
            position = page.position
            if (!isAtEnd || (await watching.mayHaveEvents)) continue
            await stream.sendHeartbeat()
            await streams.requireAdmitted(request)
          } finally {
            watching.stop()
          }
        }
      })
      return reply
    },
  })

  /**
   * Watches for new events. Called before a read, so that events between the read and the wait are
   * not missed.
   */
  function watch(stream: EventStream, accountNo: number) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), heartbeatMs)
    const stopFunctions = [feeds.onNextEvent(accountNo, () => resolve(true)), stream.onClose(() => resolve(true))]
    return {
      /**
       * Resolves to true if there may be new events or the stream has closed, and to false if a
       * heartbeat is due.
       */
      mayHaveEvents: promise,
      stop() {
        clearTimeout(timer)
        for (const stop of stopFunctions) stop()
      },
    }
  }
}
