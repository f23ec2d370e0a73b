import { isTerminal } from '@framegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { AppError } from '../../lib/app-error.ts'
import { brandOf } from '../brand-of.ts'
import { jsonContentType } from '../responses/send-error.ts'
import type { HttpContext } from '../services.ts'
import { addPollHint } from './running-hints.ts'
import { videoObject } from './video-object.ts'

/** The video object of a task, as the brand of the request shows it. */
export function videoOf({ views }: Pick<HttpContext, 'views'>, request: FastifyRequest, task: TaskRecord): object {
  const { catalogue, resultOrigin } = brandOf(request)
  return videoObject(task, views.view(task, resultOrigin), catalogue.find(task.model))
}

export function sendVideo(
  context: Pick<HttpContext, 'views'>,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TaskRecord,
): FastifyReply {
  addPollHint(reply, isTerminal(task.status))
  return reply.header('content-type', jsonContentType).send(JSON.stringify(videoOf(context, request, task)))
}

/** The error for a video that is wanted, but not there. */
export function noContent({ status }: TaskRecord): AppError {
  if (status === 'completed') return new AppError('result_expired', 'This video is no longer kept.')
  const why = status === 'failed' ? 'it has failed' : `it is ${status}; ask again when its status is completed`
  return new AppError('invalid_request', `This video has no content: ${why}.`)
}
