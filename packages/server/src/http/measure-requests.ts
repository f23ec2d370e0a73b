import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Telemetry } from '../telemetry/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the client asked to wait and its request was held. */
    wasHeld: boolean
  }
}

/**
 * Diagnostics channel on which Node reports every response that a server of this process has sent.
 * Fastify's hook is not used, because it would add listeners to each response.
 */
const responded = 'http.server.response.finish'

/** Records every response. Uses the route instead of the path, which may contain private values. */
export function addRequestMeasures(app: FastifyInstance, telemetry: Telemetry): void {
  /**
   * Properties that are set on each response of this server: its request and the request's start.
   */
  const request: unique symbol = Symbol('request')
  const startedAtMs: unique symbol = Symbol('startedAtMs')
  type Measured = ServerResponse & { [request]?: FastifyRequest; [startedAtMs]?: number }

  function record(message: unknown): void {
    const { response } = message as { response: Measured }
    const measured = response[request]
    if (measured === undefined) return
    telemetry.requestCompleted({
      method: measured.method,
      route: measured.is404 ? null : (measured.routeOptions.url ?? null),
      status: response.statusCode,
      elapsedMs: performance.now() - (response[startedAtMs] ?? 0),
      wasHeld: measured.wasHeld,
    })
  }

  app.decorateRequest('wasHeld', false)
  app.addHook('onRequest', (fastifyRequest, reply, next) => {
    const measured: Measured = reply.raw
    measured[request] = fastifyRequest
    measured[startedAtMs] = performance.now()
    next()
  })
  subscribe(responded, record)
  app.addHook('onClose', (_app, done) => {
    unsubscribe(responded, record)
    done()
  })
}
