import type { FastifyReply } from 'fastify'
import type { TaskView } from '../tasks/task-view.ts'
import { sendJson } from './answer-fields.ts'
import { matchesEtag } from './etag.ts'

/** The shorter end of the polling interval that clients are told (specification 4.2). */
export const retryAfterSeconds = '5'

/** Answers a query: the view, or 304 when the client has exactly this one. */
export function answerView(reply: FastifyReply, view: TaskView): void {
  const fields = { etag: view.etag, ...(!view.isEnded && { 'retry-after': retryAfterSeconds }) }
  const ifNoneMatch = reply.request.raw.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, view.etag)) reply.code(304).headers(fields).send()
  else sendJson(reply, 200, view.text, fields)
}
