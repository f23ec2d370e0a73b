import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Telemetry } from '../telemetry/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client had asked to wait, and did. */
    wasHeld: boolean
  }
}

/** Node tells here of every answer that has left, of all servers of the process. Fastify's hook would add listeners to each answer. */
const answered = 'http.server.response.finish'

/** Tells of every answer. The route stands for the path, which may hold what is nobody's business. */
export function addRequestMeasures(app: FastifyInstance, telemetry: Telemetry): void {
  /** What an answer of this server carries: its request, and when that began. */
  const request: unique symbol = Symbol('request')
  const begunAtMs: unique symbol = Symbol('begun')
  type Measured = ServerResponse & { [request]?: FastifyRequest; [begunAtMs]?: number }

  function tell(message: unknown): void {
    const { response } = message as { response: Measured }
    const own = response[request]
    if (own === undefined) return
    telemetry.requestAnswered({
      method: own.method,
      route: own.is404 ? null : (own.routeOptions.url ?? null),
      status: response.statusCode,
      elapsedMs: performance.now() - (response[begunAtMs] ?? 0),
      wasHeld: own.wasHeld,
    })
  }

  app.decorateRequest('wasHeld', false)
  app.addHook('onRequest', (own, reply, next) => {
    const measured: Measured = reply.raw
    measured[request] = own
    measured[begunAtMs] = performance.now()
    next()
  })
  subscribe(answered, tell)
  app.addHook('onClose', (_app, done) => {
    unsubscribe(answered, tell)
    done()
  })
}
