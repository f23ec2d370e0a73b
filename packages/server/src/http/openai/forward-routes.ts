import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ForwardPath } from '../../forwarding/forward-call.ts'
import { authorize, principalOf } from '../authorize.ts'
import { requireJsonObject } from '../bodies/json-body.ts'
import { brandOf } from '../brand-of.ts'
import { disableIdleTimeout } from '../connections/disable-idle-timeout.ts'
import { disconnectStalledReaders } from '../connections/stalled-readers.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { sendJson } from '../responses/response-fields.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { eventStreamHeaders } from '../streams/event-stream.ts'
import { withHeartbeats } from './heartbeats.ts'
import { readRetryCount } from '../parameters/retry-count.ts'
import { whenReceived } from './when-received.ts'

const forwardPaths = ['/chat/completions', '/responses', '/embeddings', '/moderations'] as const satisfies ForwardPath[]

/**
 * Adds the routes for token models, which are priced by tokens. They forward requests to a provider
 * and responses to the client.
 */
export function addForwardRoutes(
  app: FastifyInstance,
  { keys, forwarding, config }: Pick<HttpDependencies, 'keys' | 'forwarding' | 'config'>,
  url: string,
): void {
  for (const path of forwardPaths) {
    app.post(
      `${url}${path}`,
      {
        onRequest: authorize(keys, 'tasks:write', () => {}),
        config: { acceptsImages: true, acceptsDeepJson: true },
      },
      async (request, reply) => {
        const body = requireJsonObject(request)
        const clientSignal = disconnectSignal(reply)
        disableIdleTimeout(request)
        const { response, recordReceived } = await forwarding.send({
          path,
          principal: principalOf(request),
          catalogue: brandOf(request).catalogue,
          body,
          requestId: request.id,
          retryCount: readRetryCount(request),
          clientSignal,
        })
        whenReceived(reply, recordReceived)
        if (!response.isStream) return sendJson(reply, 200, response.text.toString())
        const events = withHeartbeats(response.events, config.chat.heartbeatSeconds * 1000)
        const stream = Readable.from(events, { objectMode: false })
        disconnectStalledReaders(request.raw.socket, stream)
        return reply.headers(eventStreamHeaders).send(stream)
      },
    )
  }
}
