import { randomBytes } from 'node:crypto'

/**
 * The parts of an idempotency key that the service generates for a submit without one:
 *
 *   §DIGEST_OF_THE_REQUEST RETRY_COUNT UNIQUE_PART
 *
 * The task has this key until the client has certainly received the response.
 */
export interface GeneratedKeyParts {
  /** Digest of the request. It contains no spaces. */
  digest: string
  /**
   * Number of times that the client has retried the submit. 0 for a first submit. Null: the client
   * does not mark retries.
   */
  retryCount: number | null
}

/** Maximum time between a submit and its retry. */
export const retryWindowMs = 15 * 60_000

/** The first character of generated keys. Keys of clients cannot contain it. */
export const generatedKeyMark = '§'

const processId = randomBytes(9).toString('base64url')
let keyCount = 0

export function generateKey({ digest, retryCount }: GeneratedKeyParts): string {
  keyCount += 1
  return `${generatedKeyMark}${digest} ${retryCount ?? 0} ${processId}-${keyCount}`
}

/**
 * Returns the key of one of the tasks that a request with a client's key creates. Keys of clients
 * do not contain the mark, so no other request can have the same key.
 */
export function keyOfTask(clientKey: string, index: number): string {
  return index === 0 ? clientKey : `${clientKey}${generatedKeyMark}${index}`
}

export function isGeneratedKey(key: string): boolean {
  return key.startsWith(generatedKeyMark)
}

/** Returns the prefix of all generated keys with this digest. */
export function prefixOfDigest(digest: string): string {
  return `${generatedKeyMark}${digest} `
}

export function readGeneratedKey(key: string): { digest: string; retryCount: number } {
  const digestEnd = key.indexOf(' ')
  return {
    digest: key.slice(generatedKeyMark.length, digestEnd),
    retryCount: Number(key.slice(digestEnd + 1, key.indexOf(' ', digestEnd + 1))),
  }
}
