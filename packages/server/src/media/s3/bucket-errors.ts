import { MediaStoreError } from '../media-store.ts'

/** An error of an S3 service, or of the connection to it. */
interface ServiceError extends Error {
  code?: unknown
  /** Error code in the body of the response. */
  Code?: unknown
  $metadata?: { httpStatusCode?: number }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const timeoutNames = new Set(['TimeoutError', 'AbortError', 'RequestTimeout'])
/** Errors with which S3 or STS throttles requests. Some of them have status 400. */
const throttlingNames = new Set(['SlowDown', 'Throttling', 'ThrottlingException', 'RequestLimitExceeded'])
/**
 * Errors of temporary credentials, which the AWS client renews with a later request. STS responds
 * with `ExpiredTokenException` if the web identity token has expired, until its issuer replaces it.
 * STS responds with `IDPCommunicationErrorException` if it cannot reach the issuer.
 */
const credentialNames = new Set([
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IDPCommunicationErrorException',
])
const damageNames = new Set(['BadDigest', 'XAmzContentSHA256Mismatch', 'InvalidDigest', 'IncompleteBody'])

/**
 * Whether the S3 service was unavailable. The caller must exclude requests that it has aborted,
 * because an abort counts as a timeout here.
 */
function isUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code, name, $metadata } = thrown as ServiceError
  const status = $metadata?.httpStatusCode ?? 0
  if (status >= 500 || status === 429 || networkCodes.has(String(code))) return true
  return throttlingNames.has(name) || timeoutNames.has(name) || credentialNames.has(name)
}

/** Whether the received bytes differ from the sent bytes. */
export function isDamaged(thrown: unknown): boolean {
  return thrown instanceof Error && damageNames.has(thrown.name)
}

/**
 * Whether the response to a request for an object says that the object is missing. A status 404
 * without an error code of S3 comes from a proxy in front of the S3 service.
 */
export function isNoSuchKey(thrown: unknown): boolean {
  return isMissingObject(thrown) && typeof (thrown as ServiceError).Code === 'string'
}

/**
 * Whether the object is missing. A missing bucket is another error. A response to HEAD has no error
 * code, so its status decides.
 */
export function isMissingObject(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown.name === 'NoSuchBucket') return false
  return thrown.name === 'NoSuchKey' || (thrown as ServiceError).$metadata?.httpStatusCode === 404
}

/** Whether the object ends before the first byte of the requested range. */
export function isRangeBeyondEnd(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'InvalidRange'
}

/**
 * Converts an error to a `MediaStoreError`. `purpose` completes "the request", for example "to
 * store a file".
 */
export function toStoreError(purpose: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof MediaStoreError) return cause
  const { code } = cause as ServiceError
  const errorName = typeof code === 'string' ? code : cause.name
  return isUnavailable(cause)
    ? new MediaStoreError('unavailable', `the bucket did not respond to the request ${purpose} (${errorName})`, { cause })
    : new MediaStoreError('refused', `the bucket rejected the request ${purpose} (${errorName})`, { cause })
}
