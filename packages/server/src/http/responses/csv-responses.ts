import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { acceptsCsv, acceptsJson } from './accepts.ts'

/** Throws unless the request accepts CSV. Used for paths that respond only with CSV. */
export function requireCsvAccepted({ raw }: FastifyRequest): void {
  if (!acceptsCsv(raw.headers.accept)) throw notAcceptableError('CSV', 'text/csv')
}

/** Throws unless the request accepts the requested format: CSV or, by default, JSON. */
export function requireJsonOrCsvAccepted(request: FastifyRequest): void {
  const { accept } = request.raw.headers
  if (requestsCsv(request) ? !acceptsCsv(accept) : !acceptsJson(accept)) {
    throw notAcceptableError('JSON or CSV', 'application/json or text/csv')
  }
}

/**
 * Whether the client requests CSV: by the parameter `format`, or, without `format`, by an Accept
 * header that allows CSV but not JSON.
 */
export function requestsCsv({ query, raw }: FastifyRequest): boolean {
  const { format } = query as { format?: unknown }
  const { accept } = raw.headers
  return format === undefined ? !acceptsJson(accept) && acceptsCsv(accept) : format === 'csv'
}

export function sendCsv(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'text/csv; charset=utf-8').send(text)
}

function notAcceptableError(subject: string, types: string): AppError {
  return new AppError('not_acceptable', `Responses here are ${subject}; the Accept header must allow ${types}.`)
}
