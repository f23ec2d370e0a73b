import type { FastifyRequest } from 'fastify'

/**
 * Reads the number in the `Last-Event-ID` header. Returns null for any other text, which does not
 * come from this service.
 */
export function readLastEventId({ raw }: FastifyRequest): number | null {
  const header = raw.headers['last-event-id']
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null
}
