import type { FastifyRequest } from 'fastify'

/** Whether a proxy that names itself has passed the request on. */
export function isBehindProxy({ raw: { headers } }: FastifyRequest): boolean {
  return (headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['via']) !== undefined
}
