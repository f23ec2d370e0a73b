import { randomUUID } from 'node:crypto'

/**
 * An idempotency key that the service generates for a submit of a client that sends none:
 *
 *   §, digest of the request, number of the repetition, unique part
 *
 * It is the key of the task until the client has shown that it received the response.
 */
export interface GeneratedKeyParts {
  /** A digest of the request without spaces. */
  digest: string
  /** Number of the repetition. 0 for a first submit, null if the client does not mark repetitions. */
  retryCount: number | null
}

/** Maximum time between a submit and its repetition. */
export const retryWindowMs = 15 * 60_000

/** The first character of generated keys. No client can send it in a key. */
export const generatedKeyMark = '§'

const processId = randomUUID()
let keyCount = 0

export function generateKey({ digest, retryCount }: GeneratedKeyParts): string {
  keyCount += 1
  return `${generatedKeyMark}${digest} ${retryCount ?? 0} ${processId}-${keyCount}`
}

export function isGeneratedKey(key: string): boolean {
  return key.startsWith(generatedKeyMark)
}

/** The beginning of all generated keys with this digest. */
export function prefixOfDigest(digest: string): string {
  return `${generatedKeyMark}${digest} `
}

export function readGeneratedKey(key: string): { digest: string; retryCount: number } {
  const [digest = '', retryCount] = key.slice(generatedKeyMark.length).split(' ')
  return { digest, retryCount: Number(retryCount) }
}
