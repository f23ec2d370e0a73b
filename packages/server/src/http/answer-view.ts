import type { FastifyReply } from 'fastify'
import type { TaskView } from '../tasks/task-view.ts'
import { jsonContentType } from './answer-error.ts'
import { matchesEtag } from './etag.ts'

/** The shorter end of the polling interval that clients are told (specification 4.2). */
export const retryAfterSeconds = '5'

/** Answers a query: the view, or 304 when the client has exactly this one. */
export function answerView(reply: FastifyReply, view: TaskView): void {
  if (!view.isEnded) reply.header('retry-after', retryAfterSeconds)
  reply.header('etag', view.etag)
  const ifNoneMatch = reply.request.raw.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, view.etag)) reply.code(304).send()
  else reply.header('content-type', jsonContentType).send(view.text)
}
