import type { FastifyRequest } from 'fastify'

const retryCountMax = 100

/**
 * Returns how often OpenAI's client has already retried this request, at most 100. Returns null if
 * the request has no valid header with this number.
 */
export function readRetryCount({ raw }: FastifyRequest): number | null {
  const text = raw.headers['x-stainless-retry-count']
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Math.min(Number(text), retryCountMax) : null
}
