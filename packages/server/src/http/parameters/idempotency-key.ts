import { idempotencyKeyHeader } from '@framegate/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

const keyPattern = new RegExp(idempotencyKeyHeader.pattern)

export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.raw.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && key.length <= idempotencyKeyHeader.maxLength && keyPattern.test(key)) return key
  throw new AppError('invalid_parameter', `Idempotency-Key must be ${idempotencyKeyHeader.means}.`, { param: 'Idempotency-Key' })
}
