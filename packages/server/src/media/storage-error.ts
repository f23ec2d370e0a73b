import { findFileError } from '../lib/file-error.ts'
import { MediaStoreError } from './media-store.ts'

/**
 * Whether the media store has failed, or a file error of the operating system is among the causes.
 * For an `AggregateError`, such as that of a sweep, this must be true for each of its errors.
 */
export function isStorageError(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isStorageError)
  if (cause instanceof MediaStoreError) return ['no_space', 'unavailable', 'refused'].includes(cause.code)
  return findFileError(cause) !== undefined
}
