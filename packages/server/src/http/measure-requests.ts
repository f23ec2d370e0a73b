import type { FastifyInstance } from 'fastify'
import type { Telemetry } from '../telemetry/telemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client had asked to wait, and did. */
    wasHeld: boolean
  }
}

/** Tells of every answer. The route stands for the path, which may hold what is nobody's business. */
export function addRequestMeasures(app: FastifyInstance, telemetry: Telemetry): void {
  app.decorateRequest('wasHeld', false)
  app.addHook('onResponse', (request, reply, done) => {
    telemetry.requestAnswered({
      method: request.method,
      route: request.is404 ? null : (request.routeOptions.url ?? null),
      status: reply.statusCode,
      elapsedMs: reply.elapsedTime,
      wasHeld: request.wasHeld,
    })
    done()
  })
}
