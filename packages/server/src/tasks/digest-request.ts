import { hash } from 'node:crypto'
import type { StoredParameters } from './parameters-text.ts'

/**
 * What makes two requests the same for an idempotency key: the model and the parameters after defaults, whatever the order
 * of the fields, the white space, or the interface they came by, and the most that they may cost. Each part is one line of
 * JSON, so no two requests make the same text.
 */
export function digestRequest(
  modelId: string,
  { parameters, pictures }: StoredParameters,
  maxAmountMicroCredits = Infinity,
): string {
  const max = maxAmountMicroCredits === Infinity ? '' : `\n${maxAmountMicroCredits}`
  return hash('sha256', `${JSON.stringify(modelId)}\n${parameters}\n${pictures ?? ''}${max}`, 'base64url')
}
