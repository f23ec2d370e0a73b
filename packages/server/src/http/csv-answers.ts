import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { acceptsCsv, acceptsJson } from './accepts.ts'

/** Throws unless the request accepts CSV: for paths that respond with CSV only. */
export function requireCsvAccepted({ raw }: FastifyRequest): void {
  if (!acceptsCsv(raw.headers.accept)) throw notAcceptable('CSV', 'text/csv')
}

/** Throws unless the request accepts JSON, or CSV if it asks for that. */
export function requireJsonOrCsvAccepted(request: FastifyRequest): void {
  const { accept } = request.raw.headers
  if (asksForCsv(request) ? !acceptsCsv(accept) : !acceptsJson(accept)) {
    throw notAcceptable('JSON or CSV', 'application/json or text/csv')
  }
}

/** Whether `format` asks for CSV, or there is no `format` and the Accept header takes CSV and no JSON. */
export function asksForCsv({ query, raw }: FastifyRequest): boolean {
  const { format } = query as { format?: unknown }
  const { accept } = raw.headers
  return format === undefined ? !acceptsJson(accept) && acceptsCsv(accept) : format === 'csv'
}

export function sendCsv(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-type', 'text/csv; charset=utf-8').send(text)
}

function notAcceptable(what: string, types: string): AppError {
  return new AppError('not_acceptable', `Answers here are ${what}; let the Accept header allow ${types}.`)
}
