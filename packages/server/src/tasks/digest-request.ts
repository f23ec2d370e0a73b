import { hash } from 'node:crypto'
import type { StoredParameters } from './parameters-text.ts'

/**
 * What makes two requests the same for an idempotency key: the model and the parameters after defaults, whatever the order
 * of the fields, the white space, or the interface they came by. Each part is one line of JSON, so no two requests make
 * the same text.
 */
export function digestRequest(modelId: string, { parameters, pictures }: StoredParameters): string {
  return hash('sha256', `${JSON.stringify(modelId)}\n${parameters}\n${pictures ?? ''}`, 'base64url')
}
