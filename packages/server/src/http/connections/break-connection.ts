import type { FastifyReply, FastifyRequest } from 'fastify'

/** Closes the connection without a response, to simulate a network failure after the commit. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.socket.destroy()
}
