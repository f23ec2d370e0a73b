import type { FastifyRequest } from 'fastify'

const repetitionsMax = 100

/**
 * Number of times that a client of OpenAI's API has repeated this request. Null if the client does
 * not state the number.
 */
export function readRepetition({ raw }: FastifyRequest): number | null {
  const text = raw.headers['x-stainless-retry-count']
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Math.min(Number(text), repetitionsMax) : null
}
