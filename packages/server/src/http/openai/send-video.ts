import { isTerminal } from '@framegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import type { SubmittedTask } from '../../tasks/submit-task.ts'
import { AppError } from '../../lib/app-error.ts'
import { brandOf } from '../brand-of.ts'
import { sendJson } from '../responses/response-fields.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { pollHint } from './running-hints.ts'
import { videoText } from './video-object.ts'

export type VideoTask = Pick<SubmittedTask, 'task' | 'parameters'>

/** Returns the JSON text of a task's video object, with the links of the request's brand. */
export function videoTextOf(
  { views }: Pick<HttpDependencies, 'views'>,
  request: FastifyRequest,
  { task, parameters }: VideoTask,
): string {
  const { catalogue, resultOrigin } = brandOf(request)
  return videoText({ task, parameters, model: catalogue.find(task.model), viewText: () => views.view(task, resultOrigin).text })
}

export function sendVideo(
  dependencies: Pick<HttpDependencies, 'views'>,
  request: FastifyRequest,
  reply: FastifyReply,
  video: VideoTask,
): void {
  sendJson(reply, 200, videoTextOf(dependencies, request, video), pollHint(isTerminal(video.task.status)))
}

/**
 * Error for a request for the content of a video that was removed, has failed or is not complete.
 */
export function noVideoContent({ status }: TaskRecord): AppError {
  if (status === 'completed') return new AppError('result_expired', 'This video has been removed.')
  const reason = status === 'failed' ? 'it has failed' : `it is ${status}; query it again until its status is completed`
  return new AppError('invalid_request', `This video has no content: ${reason}.`)
}
