import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { acceptsCsv, acceptsJson } from './accepts.ts'

/** Throws unless the request accepts CSV. For paths that respond only with CSV. */
export function requireCsvAccepted({ raw }: FastifyRequest): void {
  if (!acceptsCsv(raw.headers.accept)) throw notAcceptable('CSV', 'text/csv')
}

/** Throws unless the request accepts the format that it asks for: CSV or, by default, JSON. */
export function requireJsonOrCsvAccepted(request: FastifyRequest): void {
  const { accept } = request.raw.headers
  if (requestsCsv(request) ? !acceptsCsv(accept) : !acceptsJson(accept)) {
    throw notAcceptable('JSON or CSV', 'application/json or text/csv')
  }
}

/**
 * True if `format` asks for CSV, or if there is no `format` and the Accept header allows CSV but
 * not JSON.
 */
export function requestsCsv({ query, raw }: FastifyRequest): boolean {
  const { format } = query as { format?: unknown }
  const { accept } = raw.headers
  return format === undefined ? !acceptsJson(accept) && acceptsCsv(accept) : format === 'csv'
}

export function sendCsv(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'text/csv; charset=utf-8').send(text)
}

function notAcceptable(what: string, types: string): AppError {
  return new AppError('not_acceptable', `Responses here are ${what}; the Accept header must allow ${types}.`)
}
