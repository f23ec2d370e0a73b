import type { ErrorCode } from '@framegate/contract'
import { AppError } from '../../lib/app-error.ts'

/** The error of a rejected file, as it is stored and shown. */
export interface UploadRefusal {
  code: ErrorCode
  message: string
  param: string | null
}

export function encodeRefusal({ code, message, param }: AppError): string {
  return JSON.stringify({ code, message, param } satisfies UploadRefusal)
}

export function decodeRefusal(text: string): UploadRefusal {
  return JSON.parse(text) as UploadRefusal
}

/** Throws the error of this upload if its file was rejected. */
export function requireAccepted({ error }: { error: string | null }): void {
  if (error === null) return
  const { code, message, param } = decodeRefusal(error)
  throw new AppError(code, message, param === null ? {} : { param })
}
