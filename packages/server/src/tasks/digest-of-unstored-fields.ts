import { hash } from 'node:crypto'

/**
 * Digest of the part of a request that its task does not keep: the images, which are deleted when
 * the task ends, and the maximum cost. The digest is part of the comparison for an idempotency key.
 * A request with neither has an empty digest; most requests have neither. The store compares model
 * and parameters directly with those of the task, because their text does not depend on the order
 * of fields, on white space, or on the interface.
 */
export function digestOfUnstoredFields(images: string | null, maxAmountMicroCredits = Infinity): string {
  if (images === null && maxAmountMicroCredits === Infinity) return ''
  // Images are one line of JSON.
  return hash('sha256', `${images ?? ''}\n${maxAmountMicroCredits}`, 'base64url')
}
