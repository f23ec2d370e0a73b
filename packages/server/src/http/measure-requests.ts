import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Telemetry } from '../telemetry/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response is an event stream, or the client requested a wait. */
    wasDelayedOnRequest: boolean
  }
}

/**
 * Diagnostics channel on which Node reports every response that this thread has sent. It is used
 * instead of Fastify's hook, which would add listeners to each response.
 */
const responseFinishChannel = 'http.server.response.finish'

/**
 * Records metrics of every response. The metrics contain the route's pattern instead of the path,
 * because a path may contain private values.
 */
export function addRequestMeasures(app: FastifyInstance, telemetry: Telemetry): void {
  /** Properties that this server sets on each response. */
  const request: unique symbol = Symbol('request')
  const startedAtMs: unique symbol = Symbol('startedAtMs')
  type MeasuredResponse = ServerResponse & { [request]?: FastifyRequest; [startedAtMs]?: number }

  function record(message: unknown): void {
    const { response } = message as { response: MeasuredResponse }
    const measuredRequest = response[request]
    if (measuredRequest === undefined) return
    telemetry.requestCompleted({
      method: measuredRequest.method,
      route: measuredRequest.is404 ? null : (measuredRequest.routeOptions.url ?? null),
      status: response.statusCode,
      elapsedMs: performance.now() - (response[startedAtMs] ?? 0),
      wasDelayedOnRequest: measuredRequest.wasDelayedOnRequest,
    })
  }

  app.decorateRequest('wasDelayedOnRequest', false)
  app.addHook('onRequest', (fastifyRequest, reply, next) => {
    const response: MeasuredResponse = reply.raw
    response[request] = fastifyRequest
    response[startedAtMs] = performance.now()
    next()
  })
  subscribe(responseFinishChannel, record)
  app.addHook('onClose', (_app, done) => {
    unsubscribe(responseFinishChannel, record)
    done()
  })
}
