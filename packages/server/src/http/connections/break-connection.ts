import type { FastifyReply, FastifyRequest } from 'fastify'

/** Closes the connection without a response, to simulate a lost response to a submit. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.socket.destroy()
}
