import type { FastifyRequest } from 'fastify'

const retriesMax = 100

/**
 * Returns how often OpenAI's client has already retried this request, or null if the request does
 * not contain the number.
 */
export function readRetryCount({ raw }: FastifyRequest): number | null {
  const text = raw.headers['x-stainless-retry-count']
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Math.min(Number(text), retriesMax) : null
}
