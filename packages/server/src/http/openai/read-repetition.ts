import type { FastifyRequest } from 'fastify'

const repetitionsMax = 100

/** How often a client of OpenAI's has repeated this request; null if the client does not say. */
export function readRepetition({ raw }: FastifyRequest): number | null {
  const text = raw.headers['x-stainless-retry-count']
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Math.min(Number(text), repetitionsMax) : null
}
