import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonContentType } from './send-error.ts'
import { securityHeaders } from '../security-headers.ts'

/** Response headers by lowercase name. */
export type Fields = Readonly<Record<string, string>>

declare module 'fastify' {
  interface FastifyRequest {
    /** Headers that hooks have set for the response, regardless of its status. */
    responseFields: Fields | null
  }
}

/** Adds a hook that sets the common headers that a response does not have yet. */
export function addResponseFields(app: FastifyInstance): void {
  app.decorateRequest('responseFields', null)
  app.addHook('onSend', (_request, reply, _payload, next) => {
    completeResponse(reply)
    next()
  })
}

/**
 * Sets the common headers that the response does not have yet. Called directly for responses that
 * Fastify sends without hooks.
 */
export function completeResponse(reply: FastifyReply): FastifyReply {
  for (const [name, value] of Object.entries(fieldsFor(reply.request))) if (!reply.hasHeader(name)) reply.header(name, value)
  return reply
}

export function addToResponse(request: FastifyRequest, fields: Fields): void {
  request.responseFields = { ...request.responseFields, ...fields }
}

/**
 * Sends a JSON response without Fastify's reply. The reply would set each header separately and
 * decide how to serialize the text, which takes as much CPU time as all other work of a poll.
 */
export function sendJson(reply: FastifyReply, status: number, text: string | Buffer, fields: Fields = {}): void {
  reply.raw.writeHead(status, {
    ...fieldsFor(reply.request),
    'content-type': jsonContentType,
    ...fields,
    'content-length': Buffer.byteLength(text),
  })
  reply.raw.end(text)
}

/** Sends the headers of a response whose body follows in several writes. */
export function beginResponse(reply: FastifyReply, status: number, fields: Fields): void {
  reply.raw.writeHead(status, { ...fieldsFor(reply.request), ...fields })
  reply.raw.flushHeaders()
}

function fieldsFor({ id, responseFields }: FastifyRequest): Fields {
  return { ...securityHeaders, 'x-request-id': id, ...responseFields }
}
