import { hash } from 'node:crypto'

/**
 * Of what makes two requests the same for an idempotency key, that which the first task does not keep: its pictures, which go when it
 * ends, and the most that it may cost. Empty where a request has neither, as most have none: the store compares model and parameters
 * with those of the task, which are the same text whatever the order of the fields, the white space, or the interface they came by.
 */
export function digestUnkept(pictures: string | null, maxAmountMicroCredits = Infinity): string {
  if (pictures === null && maxAmountMicroCredits === Infinity) return ''
  // Pictures are one line of JSON.
  return hash('sha256', `${pictures ?? ''}\n${maxAmountMicroCredits}`, 'base64url')
}
