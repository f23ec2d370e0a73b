import { hash } from 'node:crypto'

/**
 * Digest of the request fields that are not stored with a task: the images, which are deleted when
 * the task ends, the maximum cost, and the webhook. Requests with the same idempotency key are
 * compared by it. The digest is empty for most requests, which have none of these fields. The model
 * and the parameters need no digest, because their stored text is canonical: it does not depend on
 * the order of fields, on white space, or on the API version.
 */
export function digestOfUnstoredFields(
  images: string | null,
  maxAmountMicroCredits = Infinity,
  webhookUrl: URL | null = null,
): string {
  if (images === null && maxAmountMicroCredits === Infinity && webhookUrl === null) return ''
  // The images are one line of JSON, so a line break can separate them from the next field.
  const webhook = webhookUrl === null ? '' : `\n${webhookUrl.href}`
  return hash('sha256', `${images ?? ''}\n${maxAmountMicroCredits}${webhook}`, 'base64url')
}
