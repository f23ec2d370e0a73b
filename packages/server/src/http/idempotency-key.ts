import type { FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'

const keyPattern = /^[\x20-\x7e]{1,255}$/

export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.raw.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && keyPattern.test(key)) return key
  throw new AppError('invalid_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  })
}
