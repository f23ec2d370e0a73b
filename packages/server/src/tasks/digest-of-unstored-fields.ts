import { hash } from 'node:crypto'

/**
 * Digest of the part of a request that its task does not keep: the images, which are deleted when
 * the task ends, the maximum cost, and the webhook. The digest is part of the comparison for an
 * idempotency key. A request with none of them has an empty digest, as most requests have. The store compares model
 * and parameters directly with those of the task, because their text does not depend on the order
 * of fields, on white space, or on the interface.
 */
export function digestOfUnstoredFields(
  images: string | null,
  maxAmountMicroCredits = Infinity,
  webhookUrl: URL | null = null,
): string {
  if (images === null && maxAmountMicroCredits === Infinity && webhookUrl === null) return ''
  // Images are one line of JSON.
  const webhook = webhookUrl === null ? '' : `\n${webhookUrl.href}`
  return hash('sha256', `${images ?? ''}\n${maxAmountMicroCredits}${webhook}`, 'base64url')
}
