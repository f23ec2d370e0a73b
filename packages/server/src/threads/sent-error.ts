import type { Violation, ErrorCode } from '@framegate/contract'
import { StoreClosed, StoreUnavailable } from '../db/store-unavailable.ts'
import { AppError } from '../lib/app-error.ts'

/**
 * The form of an error in a message between threads. The receiver restores the classes that callers
 * distinguish. Any other error becomes a plain `Error`.
 */
export type SentError =
  | {
      kind: 'app'
      code: ErrorCode
      message: string
      param: string | null
      errors: Violation[] | undefined
      headers: Record<string, string>
      cause: string | undefined
    }
  | { kind: 'unavailable'; reason: string | null; message: string }
  | { kind: 'closed' | 'other'; message: string; stack: string | undefined }

export function toSentError(error: unknown): SentError {
  if (error instanceof AppError) {
    const { code, message, param, errors, headers, cause } = error
    return { kind: 'app', code, message, param, errors, headers, cause: cause instanceof Error ? cause.stack : undefined }
  }
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', reason: error.reason, message: error.message }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: error instanceof StoreClosed ? 'closed' : 'other', message, stack }
}

export function toReceivedError(sentError: SentError): Error {
  switch (sentError.kind) {
    case 'app': {
      const { code, message, param, errors, headers, cause } = sentError
      return new AppError(code, message, {
        ...(param !== null && { param }),
        ...(errors !== undefined && { errors }),
        ...(cause !== undefined && { cause: new Error(cause) }),
        headers,
      })
    }
    case 'unavailable':
      return new StoreUnavailable({ reason: sentError.reason, cause: new Error(sentError.message) })
    case 'closed':
      return new StoreClosed(sentError.message)
    case 'other': {
      const error = new Error(sentError.message)
      if (sentError.stack !== undefined) error.stack = sentError.stack
      return error
    }
    default:
      return sentError satisfies never
  }
}
