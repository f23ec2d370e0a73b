import type { FastifyReply, FastifyRequest } from 'fastify'

/** Simulates a network failure right after the commit. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.socket.destroy()
}
