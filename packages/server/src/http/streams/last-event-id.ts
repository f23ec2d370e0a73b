import type { FastifyRequest } from 'fastify'

/**
 * The number that a client has seen last, if its Last-Event-ID is one of this service. Browsers
 * send whatever they have, so any other text counts as none.
 */
export function readLastEventId({ raw }: FastifyRequest): number | null {
  const given = raw.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}
