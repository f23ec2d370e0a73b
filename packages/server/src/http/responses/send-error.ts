import { errorCodes, type ErrorBody } from '@framegate/contract'
import type { FastifyReply } from 'fastify'
import type { AppError } from '../../lib/app-error.ts'
import { shorten } from '../../lib/json-pointer.ts'

export const jsonContentType = 'application/json; charset=utf-8'

const retryAfterSeconds = '5'

/** Sends an `AppError` as the response. All routes send their errors with this function. */
export function sendError(reply: FastifyReply, error: AppError): void {
  reply.code(error.status).headers(headersOf(error)).send(errorText(error, reply.request.id))
}

export function errorText({ code, message, param, errors }: AppError, requestId: string): string {
  const body: ErrorBody = {
    error: {
      type: errorCodes[code].type,
      code,
      message,
      param: param === null ? null : shorten(param),
      ...(errors && {
        errors: errors.map((violation) => Object.assign({}, violation, { pointer: shorten(violation.pointer) })),
      }),
      request_id: requestId,
    },
  }
  return JSON.stringify(body)
}

function headersOf(error: AppError): Record<string, string> {
  return {
    'content-type': jsonContentType,
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(error.status === 503 && { 'retry-after': retryAfterSeconds }),
    ...error.headers,
  }
}
