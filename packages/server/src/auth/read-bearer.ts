import { AppError } from '../lib/app-error.ts'

// RFC 6750 allows fewer characters, but a configured bootstrap key may contain any printable ASCII.
const bearerPattern = /^bearer(?: +([\x21-\x7e]{1,512}))? *$/i

const headerHint = 'send the header "Authorization: Bearer <API_KEY>"'

/** Returns the key in an Authorization header, or the error for an invalid header. */
export function readBearer(authorization: string | undefined): string | AppError {
  if (authorization === undefined || authorization.trim() === '') {
    return new AppError('missing_api_key', `This request has no API key; ${headerHint}.`)
  }
  const match = bearerPattern.exec(authorization)
  if (match === null) return new AppError('invalid_api_key', `The Authorization header cannot be parsed; ${headerHint}.`)
  return match[1] ?? new AppError('missing_api_key', `The Authorization header has no API key; ${headerHint}.`)
}
