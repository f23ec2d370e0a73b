import { AppError } from '../../lib/app-error.ts'

/** Returns the error of a request whose session has ended. */
export function signedOut(): AppError {
  return new AppError('missing_api_key', 'The session has ended; sign in again.')
}
