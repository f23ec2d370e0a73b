import type { FastifyReply } from 'fastify'
import type { TaskView } from '../../tasks/task-view.ts'
import { sendJson } from '../responses/response-fields.ts'
import { matchesEtag } from '../responses/etag.ts'

/** Value of `Retry-After`: the lower bound of the documented polling interval. */
export const retryAfterSeconds = '5'

/** Responds to a query with the view, or with 304 if the client already has it. */
export function sendView(reply: FastifyReply, view: TaskView): void {
  const fields = { etag: view.etag, ...(!view.isEnded && { 'retry-after': retryAfterSeconds }) }
  const ifNoneMatch = reply.request.raw.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, view.etag)) reply.code(304).headers(fields).send()
  else sendJson(reply, 200, view.text, fields)
}
