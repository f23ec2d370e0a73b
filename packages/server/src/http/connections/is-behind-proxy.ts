import type { FastifyRequest } from 'fastify'

/** Whether a header field shows that a proxy has forwarded the request. */
export function isBehindProxy({ raw: { headers } }: FastifyRequest): boolean {
  return (headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['via']) !== undefined
}
