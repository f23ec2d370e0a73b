import type { FastifyInstance } from 'fastify'
import { submitTask, type SubmitTaskDependencies } from '../../tasks/submit-task.ts'
import { breakConnection } from '../connections/break-connection.ts'
import { sendJson } from '../responses/response-fields.ts'
import { retryAfterSeconds } from './send-view.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { firstValue } from '../parameters/first-value.ts'
import { readIdempotencyKey } from '../parameters/idempotency-key.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { requireJsonObject } from '../bodies/json-body.ts'
import type { AppDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'

export type SubmitRouteDependencies = SubmitTaskDependencies & Pick<AppDependencies, 'keys' | 'logger' | 'telemetry'>

export function addSubmitTaskRoute(
  app: FastifyInstance,
  dependencies: SubmitRouteDependencies,
  collection: TaskCollection,
): void {
  const { logger, telemetry } = dependencies

  app.post(
    collection.url,
    { onRequest: authorize(dependencies.keys, 'tasks:write'), config: { acceptsImages: true } },
    async (request, reply) => {
      const brand = brandOf(request)
      const { task, replayed, isResponseLost } = await submitTask(dependencies, {
        principal: principalOf(request),
        catalogue: brand.catalogue,
        v1Family: collection.v1Family,
        body: requireJsonObject(request),
        openSignal: () => disconnectSignal(reply),
        idempotencyKey: readIdempotencyKey(request),
      })
      if (!replayed) {
        const traceparent = firstValue(request.raw.headers['traceparent'])
        telemetry.taskAccepted(task, { requestId: request.id, traceparent, elapsedMs: reply.elapsedTime })
        logger.debug({ requestId: request.id, task: task.id }, 'a task was accepted')
      }
      if (isResponseLost) return breakConnection(request, reply)
      sendJson(reply, 202, collection.submitResponse(task, brand.resultOrigin), {
        location: `${collection.url}/${task.id}`,
        'retry-after': retryAfterSeconds,
        ...(replayed && { 'idempotency-replayed': 'true' }),
      })
    },
  )
}
