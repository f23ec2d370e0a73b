import type { FastifyReply, FastifyRequest } from 'fastify'

/** Closes the connection without a response, to simulate that the response to a submit is lost. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.socket.destroy()
}
