import { hash } from 'node:crypto'

/**
 * Digest of the part of a request that its task does not keep: the images, which are deleted when
 * the task ends, the maximum cost, and the webhook. The digest is part of the comparison for an
 * idempotency key. Most requests have none of these fields, and their digest is empty. The store
 * compares the model and the parameters directly with those of the task, because their stored text
 * does not depend on the order of fields, on white space, or on the interface.
 */
export function digestOfUnstoredFields(
  images: string | null,
  maxAmountMicroCredits = Infinity,
  webhookUrl: URL | null = null,
): string {
  if (images === null && maxAmountMicroCredits === Infinity && webhookUrl === null) return ''
  // The text of the images is one line of JSON, so a line break can separate it from the next
  // field.
  const webhook = webhookUrl === null ? '' : `\n${webhookUrl.href}`
  return hash('sha256', `${images ?? ''}\n${maxAmountMicroCredits}${webhook}`, 'base64url')
}
