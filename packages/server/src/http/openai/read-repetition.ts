import type { FastifyRequest } from 'fastify'

const repetitionsMax = 100

/**
 * Returns how often OpenAI's client has already retried this request. Null: the client does not
 * say.
 */
export function readRepetition({ raw }: FastifyRequest): number | null {
  const text = raw.headers['x-stainless-retry-count']
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Math.min(Number(text), repetitionsMax) : null
}
