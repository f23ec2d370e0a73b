import type { FastifyRequest } from 'fastify'

/**
 * Disables the idle timeout of the connection. Otherwise the timeout would close the connection
 * while the service prepares a response for a long time. Node sets the timeout again after the
 * response.
 */
export function disableIdleTimeout({ raw }: FastifyRequest): void {
  raw.socket.setTimeout(0)
}
