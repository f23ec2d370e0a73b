import { hash } from 'node:crypto'

export interface UnstoredFields {
  images: string | null
  maxAmountMicroCredits?: number | undefined
  webhookUrl?: URL | null
  /** Number of tasks that the request creates. */
  taskCount?: number | undefined
}

/**
 * Returns the digest of the request fields that are not stored with a task: the input files, which
 * are deleted when the task ends, the maximum cost, the webhook, and the number of tasks. Requests
 * with the same idempotency key are compared by this digest, their model and their parameters. The
 * digest is empty for most requests, which have none of these fields. The model and the parameters
 * need no digest, because their stored text is canonical: it does not depend on the order of
 * fields, on white space, or on the API version.
 */
export function digestOfUnstoredFields({
  images,
  maxAmountMicroCredits = Infinity,
  webhookUrl = null,
  taskCount = 1,
}: UnstoredFields): string {
  if (images === null && maxAmountMicroCredits === Infinity && webhookUrl === null && taskCount === 1) return ''
  // The input files are one line of JSON, so a line break separates them from the next field. The
  // URL of a webhook has no spaces, so a space separates it from the number of tasks.
  const webhookText = webhookUrl === null ? '' : `\n${webhookUrl.href}`
  const taskCountText = taskCount === 1 ? '' : ` ${taskCount}`
  return hash('sha256', `${images ?? ''}\n${maxAmountMicroCredits}${webhookText}${taskCountText}`, 'base64url')
}
