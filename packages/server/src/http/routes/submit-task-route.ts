import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { submitTask } from '../../tasks/submit-task.ts'
import { answerFault, answerSafely } from '../answers/answer-fault.ts'
import { sendJson } from '../answers/answer-fields.ts'
import { retryAfterSeconds } from './answer-view.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { readIdempotencyKey } from '../parameters/idempotency-key.ts'
import { requireJsonObject } from '../bodies/json-body.ts'
import type { HttpContext } from '../services.ts'
import type { TaskCollection } from './task-collection.ts'

export function addSubmitTaskRoute(app: FastifyInstance, context: HttpContext, collection: TaskCollection): void {
  const { logger, telemetry } = context

  app.post(
    collection.url,
    { onRequest: authorize(context.keys, 'tasks:write'), config: { takesImages: true } },
    (request, reply) => {
      const brand = brandOf(request)
      const submission = {
        principal: principalOf(request),
        catalogue: brand.catalogue,
        v1Family: collection.v1Family,
        body: requireJsonObject(request),
        idempotencyKey: readIdempotencyKey(request),
      }
      const traceparent = firstOf(request.raw.headers['traceparent'])
      // The store calls back outside Fastify's control.
      submitTask(context, submission, (outcome) =>
        answerSafely(reply, logger, () => {
          if (outcome instanceof AppError) return answerFault(reply, outcome, logger)
          if (!outcome.replayed) {
            telemetry.taskAccepted(outcome.task, {
              requestId: request.id,
              traceparent,
              elapsedMs: reply.elapsedTime,
            })
            logger.debug({ requestId: request.id, task: outcome.task.id }, 'a task was accepted')
          }
          if (outcome.isAnswerLost) return breakConnection(request, reply)
          sendJson(reply, 202, collection.text(outcome.task, brand.resultOrigin), {
            location: `${collection.url}/${outcome.task.id}`,
            'retry-after': retryAfterSeconds,
            ...(outcome.replayed && { 'idempotency-replayed': 'true' }),
          })
        }),
      )
    },
  )
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** Simulates a network failure right after the commit. */
function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.socket.destroy()
}
