import { ApiError } from '../api/api-error.ts'
import type { Texts } from '../language/en.ts'

/** Returns a message for the user about an error. */
export function errorText(error: unknown, texts: Texts): string {
  if (!(error instanceof ApiError)) return texts.errors.unexpected(error instanceof Error ? error.message : String(error))
  if (error.status === 0) return texts.errors.noConnection
  const text = (texts.errors.codes as Readonly<Record<string, string>>)[error.code]
  return text ?? error.message
}
