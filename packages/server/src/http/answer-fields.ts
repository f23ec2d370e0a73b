import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonContentType } from './answer-error.ts'
import { protection } from './protection.ts'

/** Header fields by their names in lower case. */
export type Fields = Readonly<Record<string, string>>

declare module 'fastify' {
  interface FastifyRequest {
    /** What hooks have said that its answer shall carry, whatever it will be. */
    answerFields: Fields | null
  }
}

/** What every answer carries, unless its route says otherwise, is added to it when it is sent. */
export function addAnswerFields(app: FastifyInstance): void {
  app.decorateRequest('answerFields', null)
  app.addHook('onSend', (_request, reply, _payload, next) => {
    completeAnswer(reply)
    next()
  })
}

/** For answers that Fastify sends without a hook. */
export function completeAnswer(reply: FastifyReply): FastifyReply {
  for (const [name, value] of Object.entries(fieldsFor(reply.request))) if (!reply.hasHeader(name)) reply.header(name, value)
  return reply
}

export function addToAnswer(request: FastifyRequest, fields: Fields): void {
  request.answerFields = { ...request.answerFields, ...fields }
}

/**
 * An answer of JSON past Fastify's reply, for what is answered most often: to hand each field to the reply first, and to let it look for
 * what it would have to do with the text, costs as much as all that is ours of a poll.
 */
export function sendJson(reply: FastifyReply, status: number, text: string, fields: Fields): void {
  reply.raw.writeHead(status, {
    ...fieldsFor(reply.request),
    'content-type': jsonContentType,
    ...fields,
    'content-length': Buffer.byteLength(text),
  })
  reply.raw.end(text)
}

function fieldsFor({ id, answerFields }: FastifyRequest): Fields {
  return { ...protection, 'x-request-id': id, ...answerFields }
}
