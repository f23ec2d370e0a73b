import { StoreUnavailable } from '../../db/store-unavailable.ts'
import { AppError } from '../../lib/app-error.ts'
import { isStorageError } from '../../media/storage-error.ts'
import { errorCodeOf } from '../../lib/error-code.ts'

/**
 * Converts any thrown value to an `AppError`. Unknown errors become `internal_error`; their message
 * is kept in `cause`, which clients never see.
 */
export function toAppError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  if (cause instanceof StoreUnavailable) {
    const problem = cause.reason === null ? 'is unavailable' : 'cannot be read or written'
    return new AppError('overloaded', `The database ${problem} at the moment; try again shortly.`, { cause })
  }
  switch (errorCodeOf(cause)) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.', {
        headers: { accept: 'application/json' },
      })
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_request', 'The path has a percent-encoding that is not valid UTF-8.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('route_not_found', 'There is nothing at this path.')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body_too_large', 'The body is larger than this path accepts.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', 'The length of the body differs from its Content-Length.')
    case 'ERR_WORKER_INIT_FAILED':
      return new AppError('overloaded', 'The service cannot start a thread at the moment; try again shortly.', { cause })
    default:
      if (isStorageError(cause)) {
        return new AppError('overloaded', 'The file storage is full or unavailable; try again shortly.', { cause })
      }
      return new AppError('internal_error', 'An internal error occurred; quote the request id when you report it.', { cause })
  }
}
